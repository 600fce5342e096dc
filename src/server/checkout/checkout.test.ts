import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/checkout.ts';
import { eventCancelled, eventEnded, publicEvent } from '#contract/events.ts';
import { buyTickets, eventOnSale, goodCard, mailTo, pay } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];
const tenSeats = { ticketName: 'Cellar', ticketDescription: 'Standing', ticketPrice: 20, ticketQuantity: 10 };

async function reservedOf(eventId: string): Promise<number> {
  const types = await world.db.selectFrom('ticketTypes').where('eventId', '=', eventId).select('reserved').execute();
  return types.reduce((sum, type) => sum + type.reserved, 0);
}

async function bookOf(eventId: string) {
  const rows = await world.db
    .selectFrom('ledgerEntries')
    .where('eventId', '=', eventId)
    .select(['kind', 'account', 'cents'])
    .orderBy('kind')
    .orderBy('account')
    .execute();
  return rows.map(({ kind, account, cents }) => `${kind} ${account} ${cents}`);
}

describe('selling tickets', () => {
  it('leads from the cart to numbered tickets, a mail and the books [BUY-7 CONF-1 CONF-4]', async () => {
    const { eventId } = await eventOnSale(world);
    const cart = [
      { ticketName: 'Balcony', quantity: 1 },
      { ticketName: ' general ADMISSION ', quantity: 2 },
    ];

    const order = await buyTickets(world, eventId, cart, 'ann@example.com');
    const mails = await mailTo(world, 'ann@example.com');

    expect(order.status).toBe('confirmed');
    expect(order.confirmationData.map((ticket) => ticket.ticketName).sort()).toEqual([
      'Balcony',
      'General admission',
      'General admission',
    ]);
    const numbers = order.confirmationData.map((ticket) => ticket.confirmationNumber);
    expect(new Set(numbers).size).toBe(3);
    for (const number of numbers) expect(number).toMatch(/^[1-9]\d{9}$/);
    expect(mails).toHaveLength(1);
    for (const number of numbers) expect(mails[0]?.text).toContain(number);
    // $86.50 at 2.9 % + 30 cents.
    expect(await bookOf(eventId)).toEqual([
      'card-fee card-fees 281',
      'card-fee processor -281',
      'sale organizer-payable -8650',
      'sale processor 8650',
    ]);
  });

  it('sells free tickets through the same page, without a card and without a line in the books', async () => {
    const free = { ticketName: 'Free', ticketDescription: 'Come in', ticketPrice: 0, ticketQuantity: 5 };
    const { eventId } = await eventOnSale(world, { tickets: [free] });
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Free', quantity: 2 }],
    });

    await pay(buyer, session.body.url, 'free@example.com').catch(async () => {
      const { submitForm } = await import('#tests/support/html-form.ts');
      return submitForm(buyer, session.body.url, { email: 'free@example.com' });
    });
    const confirmation = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });

    expect(confirmation.body).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(await bookOf(eventId)).toEqual([]);
  });

  it('counts a ticket that stands twice in the cart twice', async () => {
    const { eventId } = await eventOnSale(world);

    const order = await buyTickets(world, eventId, [...oneSeat, ...oneSeat]);

    expect(order.confirmationData).toHaveLength(2);
  });

  it('charges the event’s price, whatever the cart says', async () => {
    const { eventId } = await eventOnSale(world);

    const reply = await world.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Balcony', ticketPrice: 0.5, quantity: 1 }],
    });

    expect(reply).toMatchObject({ status: 409, body: { msg: contract.checkoutRefusals['price-changed'] } });
    expect(await reservedOf(eventId)).toBe(0);
  });

  it.each([
    ['an empty cart', [], 409, contract.checkoutRefusals['empty-cart']],
    ['an unknown ticket', [{ ticketName: 'Moon', quantity: 1 }], 409, contract.checkoutRefusals['unknown-ticket']],
    ['no tickets of a kind', [{ ...oneSeat[0], quantity: 0 }], 400, 'Quantity must be at least 1.'],
    ['half a ticket', [{ ...oneSeat[0], quantity: 1.5 }], 400, 'Quantity must be a whole number.'],
    ['a count in words', [{ ...oneSeat[0], quantity: 'two' }], 400, 'Quantity must be a whole number.'],
    ['too many', [{ ...oneSeat[0], quantity: 101 }], 409, contract.checkoutRefusals['too-many-tickets']],
    ['more than there are', [{ ticketName: 'Balcony', quantity: 11 }], 409, contract.soldOut('Balcony')],
    ['something else', 'tickets', 400, 'cartItems must be an array.'],
  ])('refuses %s and holds nothing', async (_case, cartItems, status, msg) => {
    const { eventId } = await sharedEvent();

    const reply = await world.visitor().send(contract.createCheckoutSession, { eventId, cartItems });

    expect(reply).toMatchObject({ status, body: { msg } });
    expect(await reservedOf(eventId)).toBe(0);
  });

  it('gives back the first ticket type when the second is sold out', async () => {
    const { eventId } = await sharedEvent();
    const cartItems = [...oneSeat, { ticketName: 'Balcony', quantity: 11 }];

    expect((await world.call(contract.createCheckoutSession, { eventId, cartItems })).status).toBe(409);
    expect(await reservedOf(eventId)).toBe(0);
  });

  it('stops when the event is over or cancelled', async () => {
    const { eventId } = await eventOnSale(world);
    const buy = () => world.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    await world.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();
    expect(await buy()).toMatchObject({ status: 409, body: { msg: eventCancelled } });
    await world.db
      .updateTable('events')
      .set({ cancelledAt: null, startsAt: new Date(0), endsAt: new Date(1) })
      .where('id', '=', eventId)
      .execute();
    expect(await buy()).toMatchObject({ status: 409, body: { msg: eventEnded } });
  });

  let shared: ReturnType<typeof eventOnSale> | undefined;
  function sharedEvent() {
    shared ??= eventOnSale(world);
    return shared;
  }
});

describe('the last tickets', () => {
  it('go to exactly ten of fifty buyers at once, and the others are told', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    const cartItems = [{ ticketName: 'Cellar', quantity: 1 }];

    // The row of the ticket type is held by the test until the buyers stand in line for it.
    const { waiting } = await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const waiting = Array.from({ length: 50 }, () =>
        world.call(contract.createCheckoutSession, { eventId, cartItems }),
      );
      await world.untilSomeoneWaits(5);
      return { waiting };
    });
    const replies = await Promise.all(waiting);

    const winners = replies.filter((reply) => reply.status === 200);
    const losers = replies.filter((reply) => reply.status !== 200);
    expect(winners).toHaveLength(10);
    for (const loser of losers) {
      expect(loser).toMatchObject({ status: 409, body: { msg: contract.soldOut('Cellar') } });
    }
    expect(await reservedOf(eventId)).toBe(10);
    const shown = await world.call(publicEvent, { eventId });
    expect(shown.body).toMatchObject({ tickets: [{ available: 0 }] });
  });

  it('come back when the payment page has ended unpaid, and only then', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    const session = await world.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 10 }],
    });

    await world.advance({ minutes: 30 });
    await settleLapsedOrders(world.deps);
    expect(await reservedOf(eventId)).toBe(10);

    await world.advance({ minutes: 2 });
    await settleLapsedOrders(world.deps);
    expect(await reservedOf(eventId)).toBe(0);
    const confirmation = await world.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body).toEqual({ status: 'expired', confirmationData: [], order: null });
  });

  it('stay with a buyer who paid in the last moment, though no webhook ever came', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    await setFault({ webhook: 'drop', times: 100 });
    const buyer = world.visitor();
    const cartItems = [{ ticketName: 'Cellar', quantity: 1 }];
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems });
    await pay(buyer, session.body.url, 'last@example.com');

    await world.advance({ minutes: 32 });
    await settleLapsedOrders(world.deps);
    await clearFaults();

    expect(await reservedOf(eventId)).toBe(1);
    expect(await mailTo(world, 'last@example.com')).toHaveLength(1);
  });

  it('come back at once when no payment page could be opened', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    await setFault({ match: { method: 'POST', path: '/v1/checkout/sessions' }, mode: 'drop_before', times: 10 });

    const reply = await world.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 10 }],
    });
    await clearFaults();

    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await reservedOf(eventId)).toBe(0);
  });
});

async function setFault(fault: object): Promise<void> {
  const reply = await fetch(`${world.sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(reply.status).toBe(200);
}

async function clearFaults(): Promise<void> {
  await fetch(`${world.sandboxUrl}/_sandbox/faults`, { method: 'DELETE' });
}

describe('a paid order', () => {
  it('is fulfilled once, though webhook, page and job all come for it', async () => {
    const { eventId } = await eventOnSale(world);
    const order = await buyTickets(world, eventId, oneSeat, 'once@example.com');
    const again = () => world.call(contract.checkoutSession, { sessionId: order.sessionId });
    const notices = await world.db.selectFrom('webhookInbox').where('eventId', '=', eventId).select('id').execute();

    await world.settle();
    await Promise.all([again(), again(), settleLapsedOrders(world.deps)]);
    await world.db.updateTable('webhookInbox').set({ processedAt: null }).where('eventId', '=', eventId).execute();
    const { applyNotice } = await import('./apply-notice.ts');
    await Promise.all(notices.map((notice) => applyNotice(world.deps, notice.id)));

    const tickets = await world.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
    expect(await mailTo(world, 'once@example.com')).toHaveLength(1);
    expect((await bookOf(eventId)).filter((line) => line.startsWith('sale'))).toHaveLength(2);
  });

  it('is fulfilled once when webhook and page come at the same instant', async () => {
    const { eventId } = await eventOnSale(world);
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    // The order's row is held by the test until both the webhook's job and the page wait for it.
    const { page } = await world.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
      await pay(buyer, session.body.url, 'both@example.com');
      const page = buyer.call(contract.checkoutSession, { sessionId: session.body.id });
      await world.untilSomeoneWaits(2);
      return { page };
    });

    expect((await page).body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
    expect(await mailTo(world, 'both@example.com')).toHaveLength(1);
    const tickets = await world.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(tickets).toHaveLength(1);
  });

  it('makes no tickets when the sum that was paid is not the sum that was ordered', async () => {
    const { eventId } = await eventOnSale(world);
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await world.db.updateTable('orders').set({ totalCents: 1 }).where('eventId', '=', eventId).execute();

    await pay(buyer, session.body.url, 'odd@example.com');
    await world.settle();

    const confirmation = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body).toEqual({ status: 'processing', confirmationData: [], order: null });
    expect(await bookOf(eventId)).toEqual([]);
  });

  it('is fulfilled by the webhook alone when the buyer never comes back', async () => {
    const { eventId } = await eventOnSale(world);
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await pay(buyer, session.body.url, 'gone@example.com');

    expect(await mailTo(world, 'gone@example.com')).toHaveLength(1);
  });

  it('waits while the card is declined, then takes the good one', async () => {
    const { eventId } = await eventOnSale(world);
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    const look = () => world.call(contract.checkoutSession, { sessionId: session.body.id });

    await pay(buyer, session.body.url, 'b@example.com', { ...goodCard, number: '4000 0000 0000 0002' });
    expect((await look()).body).toEqual({ status: 'unpaid', confirmationData: [], order: null });
    await pay(buyer, session.body.url, 'b@example.com');

    expect((await look()).body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
  });

  it('takes free tickets when the payment comes after the hold was given back', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    const { sessionId } = await paidAfterRelease(eventId);

    const confirmation = await world.call(contract.checkoutSession, { sessionId });

    expect(confirmation.body).toMatchObject({ status: 'confirmed', confirmationData: [{}] });
    expect(await reservedOf(eventId)).toBe(1);
  });

  it('is refunded in full when the event was cancelled meanwhile', async () => {
    const { eventId } = await eventOnSale(world);
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });
    await world.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();

    await pay(buyer, session.body.url, 'sorry@example.com');
    await world.settle();

    const confirmation = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body.status).toBe('refunded');
    expect(await mailTo(world, 'sorry@example.com')).toEqual([]);
  });

  it('is refunded in full when the payment comes after the tickets went to others', async () => {
    const { eventId } = await eventOnSale(world, { tickets: [tenSeats] });
    const late = await paidAfterRelease(eventId, async () => {
      await buyTickets(world, eventId, [{ ticketName: 'Cellar', quantity: 10 }]);
    });

    const confirmation = await world.call(contract.checkoutSession, { sessionId: late.sessionId });
    await world.settle();

    expect(confirmation.body).toEqual({ status: 'refunded', confirmationData: [], order: null });
    expect(await reservedOf(eventId)).toBe(10);
    const refunds = await world.db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();
    expect(refunds).toMatchObject([{ cents: 2000, state: 'sent', providerRefundId: expect.stringMatching(/^re_/) }]);
    const owed = (await bookOf(eventId)).filter((line) => line.includes('owed-to-buyers'));
    expect(owed).toEqual(['unfillable-refund owed-to-buyers 2000', 'unfillable-sale owed-to-buyers -2000']);
  });

  /** A payment that the card company took although we had given its tickets back. */
  async function paidAfterRelease(eventId: string, meanwhile = async () => {}) {
    const buyer = world.visitor();
    const session = await buyer.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 1 }],
    });
    const { releaseHold } = await import('./release-hold.ts');
    const { orderOfSession } = await import('./checkout.sql.ts');
    const order = await orderOfSession(world.db, session.body.id);
    if (order) await releaseHold(world.deps, order);
    await meanwhile();
    await pay(buyer, session.body.url, 'late@example.com');
    return { sessionId: session.body.id };
  }
});

describe('the confirmation', () => {
  it.each([['cs_test_unknown'], ['x'.repeat(200)]])('knows nothing of the session "%s"', async (sessionId) => {
    const reply = await world.call(contract.checkoutSession, { sessionId });

    expect(reply).toMatchObject({ status: 404, body: { msg: contract.unknownCheckout } });
  });

  it('needs a session id [CONF-3]', async () => {
    const reply = await world.visitor().send(contract.checkoutSession, { sessionId: '' });

    expect(reply).toMatchObject({ status: 400, body: { msg: 'No session ID provided' } });
  });
});

describe('a notice from the card company', () => {
  it.each([
    ['without a signature', {}],
    ['with a false signature', { 'stripe-signature': 't=1,v1=00' }],
  ])('is refused %s', async (_case, headers) => {
    const reply = await world.visitor().request('/api/webhooks/stripe', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ id: 'evt_forged', type: 'checkout.session.completed' }),
    });

    expect(reply).toMatchObject({ status: 400, body: { msg: contract.badSignature } });
    const stored = await world.db.selectFrom('webhookInbox').where('id', '=', 'evt_forged').select('id').execute();
    expect(stored).toEqual([]);
  });
});
