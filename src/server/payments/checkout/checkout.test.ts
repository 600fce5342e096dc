import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as contract from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { resendTicket } from '#contract/app/guests.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { errorText } from '#messages/errors.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { clearFaults, ledgerOf, planFault, reservedOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, expectOk, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];
const openingPages = { method: 'POST', path: '/v1/checkout/sessions' };
const ticketsIn = (email: { text: string } | undefined) =>
  [...(email?.text ?? '').matchAll(/^(.+ \(Ticket .+\))\nConfirmation number: (\d+)$/gm)].map(
    ([, ticket, code]) => `${ticket} ${code}`,
  );
const tenSeats = { ticketName: 'Cellar', ticketDescription: 'Standing', ticketPrice: 20, ticketQuantity: 10 };

describe('selling tickets', () => {
  it('leads from the cart to numbered tickets, an email and ledger entries [BUY-7 CONF-1 CONF-4]', async () => {
    const { eventId } = await eventOnSale(app);
    const cart = [
      { ticketName: 'Balcony', quantity: 1 },
      { ticketName: ' general ADMISSION ', quantity: 2 },
    ];

    const order = await buyTickets(app, eventId, cart, 'ann@example.com');
    const emails = await emailsTo(app, 'ann@example.com');

    expect(order.status).toBe('confirmed');
    expect(order.confirmationData.map((ticket) => ticket.ticketName).sort()).toEqual([
      'Balcony',
      'General admission',
      'General admission',
    ]);
    const numbers = order.confirmationData.map((ticket) => ticket.confirmationNumber);
    expect(new Set(numbers).size).toBe(3);
    for (const number of numbers) expect(number).toMatch(/^[1-9]\d{9}$/);
    expect(emails).toHaveLength(1);
    for (const number of numbers) expect(emails[0]?.text).toContain(number);
    // $86.50 at 2.9% + 30 cents.
    expect(await ledgerOf(app, eventId)).toEqual([
      'card-fee card-fees 281',
      'card-fee processor -281',
      'sale organizer-payable -8650',
      'sale processor 8650',
    ]);
  });

  it('numbers tickets in cart order, the same on the page and in every email, even after a refund', async () => {
    const event = await eventOnSale(app);
    const cart = [
      { ticketName: 'Balcony', quantity: 1 },
      { ticketName: 'General admission', quantity: 2 },
    ];
    const email = 'in-order@example.com';

    const order = await buyTickets(app, event.eventId, cart, email);

    const [balcony = '', refunded = '', last = ''] = codesOf(order);
    expect(order.confirmationData).toEqual([
      { ticketName: 'Balcony', confirmationNumber: balcony, position: 1, of: 3, priceCents: 3850 },
      { ticketName: 'General admission', confirmationNumber: refunded, position: 2, of: 3, priceCents: 2400 },
      { ticketName: 'General admission', confirmationNumber: last, position: 3, of: 3, priceCents: 2400 },
    ]);
    expect(ticketsIn((await emailsTo(app, email))[0])).toEqual([
      `Balcony (Ticket 1 of 3) ${balcony}`,
      `General admission (Ticket 2 of 3) ${refunded}`,
      `General admission (Ticket 3 of 3) ${last}`,
    ]);

    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: refunded }));
    expectOk(await event.visitor.call(resendTicket, { email, confirmationNumber: last }));

    const { body } = await app.call(contract.checkoutSession, { sessionId: order.sessionId });
    expect(body.confirmationData).toEqual([order.confirmationData[0], order.confirmationData[2]]);
    const resent = (await emailsTo(app, email)).find(({ subject }) => subject === 'Basement Brass: your ticket');
    expect(ticketsIn(resent)).toEqual([`General admission (Ticket 3 of 3) ${last}`]);
  });

  it('adds up duplicate cart items', async () => {
    const { eventId } = await eventOnSale(app);

    const order = await buyTickets(app, eventId, [...oneSeat, ...oneSeat]);

    expect(order.confirmationData).toHaveLength(2);
  });

  it('charges the event’s price instead of the cart’s', async () => {
    const { eventId } = await eventOnSale(app);

    const reply = await app.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Balcony', ticketPrice: 0.5, quantity: 1 }],
    });

    expect(reply).toMatchObject({ status: 409, body: { code: 'checkout.price-changed' } });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it.each([
    ['an empty cart', [], 409, errorText('checkout.empty-cart')],
    ['an unknown ticket', [{ ticketName: 'Moon', quantity: 1 }], 409, errorText('checkout.unknown-ticket')],
    ['a quantity of zero', [{ ...oneSeat[0], quantity: 0 }], 400, 'Quantity must be at least 1.'],
    ['half a ticket', [{ ...oneSeat[0], quantity: 1.5 }], 400, 'Quantity must be a whole number.'],
    ['a quantity as text', [{ ...oneSeat[0], quantity: 'two' }], 400, 'Quantity must be a whole number.'],
    ['too many tickets', [{ ...oneSeat[0], quantity: 101 }], 409, errorText('checkout.too-many-tickets', { max: 100 })],
    [
      'more tickets than available',
      [{ ticketName: 'Balcony', quantity: 11 }],
      409,
      errorText('checkout.sold-out', { name: 'Balcony' }),
    ],
    ['a cart that is not a list', 'tickets', 400, 'cartItems must be an array.'],
  ])('rejects %s without reserving anything', async (_case, cartItems, status, msg) => {
    const { eventId } = await sharedEvent();

    const reply = await app.visitor().send(contract.createCheckoutSession, { eventId, cartItems });

    expect(reply).toMatchObject({ status, body: { msg } });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('reserves nothing if one of two ticket types is sold out', async () => {
    const { eventId } = await sharedEvent();
    const cartItems = [...oneSeat, { ticketName: 'Balcony', quantity: 11 }];

    expect((await app.call(contract.createCheckoutSession, { eventId, cartItems })).status).toBe(409);
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('stops once the event is over or cancelled', async () => {
    const { eventId } = await eventOnSale(app);
    const buy = () => app.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    await app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute();
    expect(await buy()).toMatchObject({ status: 409, body: { code: 'checkout.event-cancelled' } });
    await app.db
      .updateTable('events')
      .set({ cancelledAt: null, startsAt: new Date(0), endsAt: new Date(1) })
      .where('id', '=', eventId)
      .execute();
    expect(await buy()).toMatchObject({ status: 409, body: { code: 'checkout.event-ended' } });
  });

  let shared: ReturnType<typeof eventOnSale> | undefined;
  function sharedEvent() {
    shared ??= eventOnSale(app);
    return shared;
  }
});

describe('the last tickets', () => {
  it('go to exactly ten of fifty concurrent buyers', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const cartItems = [{ ticketName: 'Cellar', quantity: 1 }];
    // Each server batches its own buyers, so this takes five servers.
    const servers = Array.from({ length: 5 }, () => anotherServer(app.deps));

    // The test locks the ticket type's row until the buyers wait for it.
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', eventId).select('id').forUpdate().execute();
      const waiting = Array.from({ length: 10 }, () =>
        servers.map((deps) => createCheckoutSession(deps, { eventId, cartItems }, '127.0.0.1')),
      );
      await app.untilBlocked(5);
      return { waiting: Promise.allSettled(waiting.flat()) };
    });
    const results = await waiting;

    const losers = results.filter((result) => result.status === 'rejected');
    expect(results.length - losers.length).toBe(10);
    for (const { reason } of losers) {
      expect(reason).toMatchObject({ code: 'checkout.sold-out', params: { name: 'Cellar' } });
    }
    expect(await reservedOf(app, eventId)).toBe(10);
    const shown = await app.call(publicEvent, { eventId });
    expect(shown.body).toMatchObject({ tickets: [{ available: 0 }] });
  });

  it('are released only after the payment page expired unpaid', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    const session = await app.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 10 }],
    });

    await app.advance({ minutes: 30 });
    await settleLapsedOrders(app.deps);
    expect(await reservedOf(app, eventId)).toBe(10);

    await app.advance({ minutes: 2 });
    await settleLapsedOrders(app.deps);
    // The webhook of the expired page may be at work on the order, which the job then skips.
    await expect.poll(() => reservedOf(app, eventId)).toBe(0);
    const confirmation = await app.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(confirmation.body).toEqual({ status: 'expired', confirmationData: [], order: null });
  });

  it('stay with a buyer who paid at the last moment without a webhook', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    await planFault(app, { webhook: 'drop', times: 100 });
    const buyer = app.visitor();
    const cartItems = [{ ticketName: 'Cellar', quantity: 1 }];
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems });
    await pay(buyer, session.body.url, 'last@example.com');

    await app.advance({ minutes: 32 });
    await settleLapsedOrders(app.deps);
    await clearFaults(app);

    expect(await reservedOf(app, eventId)).toBe(1);
    expect(await emailsTo(app, 'last@example.com')).toHaveLength(1);
  });

  it('are released at once if the payment page could not be opened', async () => {
    const { eventId } = await eventOnSale(app, { tickets: [tenSeats] });
    await planFault(app, { match: openingPages, mode: 'drop_before', times: 10 });

    const reply = await app.call(contract.createCheckoutSession, {
      eventId,
      cartItems: [{ ticketName: 'Cellar', quantity: 10 }],
    });
    await clearFaults(app);

    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('are released when the reservation expires if the order’s row stays locked, and the buyer waits for it once', async () => {
    const impatient = await startTestApp({ lockTimeoutMs: 3_000, runsJobs: false });
    onTestFinished(() => impatient.close());
    const { eventId } = await eventOnSale(impatient, { tickets: [tenSeats] });
    await planFault(impatient, { match: openingPages, mode: 'slow', ms: 4_000, times: 1 });
    const cartItems = [{ ticketName: 'Cellar', quantity: 10 }];
    const reply = impatient.call(contract.createCheckoutSession, { eventId, cartItems });
    await expect.poll(() => reservedOf(impatient, eventId)).toBe(10);

    const waited = await impatient.db.transaction().execute(async (tx) => {
      await tx.selectFrom('events').where('id', '=', eventId).select('id').forUpdate().execute();
      await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').forUpdate().execute();
      return waitingUntil(impatient, reply);
    });
    await impatient.restartJobs();

    expect((await reply).status).toBe(503);
    expect(waited).toHaveLength(1);
    expect(await reservedOf(impatient, eventId)).toBe(10);
    await impatient.advance({ minutes: UNPAID_RESERVATION_MINUTES });
    await expect.poll(() => reservedOf(impatient, eventId)).toBe(0);
  });
});

/** Statements that wait for a lock while `work` runs. */
async function waitingUntil({ db }: TestApp, work: Promise<unknown>): Promise<string[]> {
  const waiting = new Set<string>();
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const { rows } = await sql<{ statement: string }>`
      select query_start || ' ' || query as statement from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    for (const { statement } of rows) waiting.add(statement);
    await sleep(50);
  }
  return [...waiting];
}
