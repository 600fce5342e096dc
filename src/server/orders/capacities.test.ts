/** Ticket types that sell from the same seats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import type { PricedLine } from '#domain/order.ts';
import { closeCheckouts } from '#server/payments/checkout/close-checkouts.ts';
import { newId } from '#server/platform/ids.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  openCheckout,
} from '#tests/support/people.ts';
import { shareCapacity } from '#tests/support/share-capacity.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countUnsoldTickets } from './core/stock.sql.ts';
import { reserveOrder } from './reserve-order.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

const type = (ticketName: string, ticketQuantity: number, ticketPrice = 20) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity,
});

const SEATS = 200;
const hall = { name: 'Hall', capacity: SEATS, units: { Adult: 1, Student: 1 } };

async function eventWith(types: ReturnType<typeof type>[], ...capacities: Parameters<typeof shareCapacity>[1][]) {
  const event = await eventOnSale(app, { tickets: types });
  await shareCapacity(event, ...capacities);
  return event;
}

const twoTypes = () => eventWith([type('Adult', SEATS), type('Student', SEATS)], hall);

async function availabilityIn({ eventId }: { eventId: string }): Promise<Record<string, number>> {
  await app.deps.changes.catchUp();
  const { body } = await app.call(publicEvent, { eventId });
  if (!('tickets' in body)) throw new Error('the event does not sell');
  return Object.fromEntries(body.tickets.map(({ ticketName, available }) => [ticketName, available]));
}

const takenIn = async ({ eventId }: { eventId: string }) => {
  const capacities = app.db.selectFrom('sharedCapacities').where('eventId', '=', eventId);
  return (await capacities.select('reserved').orderBy('position').execute()).map(({ reserved }) => reserved);
};

/** Without those that the moved clock breaks: reservations of other tests are late. */
const brokenCounters = async () =>
  (await brokenInvariants(app.db)).filter((line) => /^(?:capacities|members|stock|tickets)-/.test(line));

const cart = (...lines: [ticketName: string, quantity: number][]) =>
  lines.map(([ticketName, quantity]) => ({ ticketName, quantity }));

const checkOut = ({ eventId }: { eventId: string }, ...lines: Parameters<typeof cart>) =>
  app.call(createCheckoutSession, { eventId, cartItems: cart(...lines) });

describe('a shared capacity', () => {
  it('sells exactly its seats to many carts of all its types at once [STOCK-1 STOCK-3]', async () => {
    const event = await eventWith([type('Adult', 300, 0), type('Student', 300, 0)], hall);
    const types = await app.db.selectFrom('ticketTypes').where('eventId', '=', event.eventId).selectAll().execute();
    const orderOf = (index: number) => {
      const one = types[index % 2];
      const line: PricedLine = {
        ticketTypeId: one?.id ?? '',
        ticketName: one?.name ?? '',
        listPriceCents: 0,
        unitPriceCents: 0,
        promoCodeId: null,
        quantity: 1 + (index % 3),
      };
      return {
        eventId: event.eventId,
        orderId: newId(),
        cartId: null,
        networkHash: null,
        totalCents: 0,
        lines: [line],
      };
    };
    const orders = Array.from({ length: 400 }, (_, index) => orderOf(index));
    const results = await Promise.all(
      orders.map((order) => reserveOrder(app.db, order, { pagesPerSecond: null, unpaidMax: null })),
    );

    const sold = orders
      .filter((_, index) => results[index]?.is === 'reserved')
      .reduce((sum, { lines }) => sum + lines.reduce((all, { quantity }) => all + quantity, 0), 0);
    expect([sold, await takenIn(event)]).toEqual([SEATS, [SEATS]]);
    expect(new Set(results.map(({ is }) => is))).toEqual(new Set(['reserved', 'sold-out']));
    expect(await availabilityIn(event)).toEqual({ Adult: 0, Student: 0 });
    expect(await brokenCounters()).toEqual([]);
  });

  it('shows and sells the same availability for each type [STOCK-2]', async () => {
    const event = await twoTypes();
    await openCheckout(app, event.eventId, cart(['Adult', 100]));
    await openCheckout(app, event.eventId, cart(['Student', 92]));

    expect(await availabilityIn(event)).toEqual({ Adult: 8, Student: 8 });
    const denied = await checkOut(event, ['Adult', 5], ['Student', 4]);
    expect(denied).toMatchObject({ status: 409, body: errorBody('checkout.sold-out', { name: 'Student' }) });
    expect(await takenIn(event)).toEqual([192]);
    // What one cart could not have is no shortage for another one.
    expectOk(await checkOut(event, ['Student', 8]));
    expect(await availabilityIn(event)).toEqual({ Adult: 0, Student: 0 });
  });

  it("is limited by a type's own quantity, too [STOCK-2]", async () => {
    const event = await eventWith([type('Adult', SEATS), type('Student', 5)], hall);
    expect(await availabilityIn(event)).toEqual({ Adult: SEATS, Student: 5 });
    expect(await checkOut(event, ['Student', 6])).toMatchObject({ status: 409, body: { code: 'checkout.sold-out' } });
  });

  it('is taken in units [STOCK-1]', async () => {
    const table = { name: 'Hall', capacity: 7, units: { Single: 1, Family: 4 } };
    const event = await eventWith([type('Single', 50), type('Family', 50)], table);
    await openCheckout(app, event.eventId, cart(['Family', 1]));

    expect(await availabilityIn(event)).toEqual({ Single: 3, Family: 0 });
    expect(await checkOut(event, ['Family', 1])).toMatchObject({ status: 409, body: { code: 'checkout.sold-out' } });
    expectOk(await checkOut(event, ['Single', 3]));
    expect(await takenIn(event)).toEqual([7]);
  });

  it('is one of several that a type sells from [STOCK-1]', async () => {
    const event = await eventWith(
      [type('Saturday', 50), type('Sunday', 50), type('Weekend', 50)],
      { name: 'Saturday seats', capacity: 3, units: { Saturday: 1, Weekend: 1 } },
      { name: 'Sunday seats', capacity: 10, units: { Sunday: 1, Weekend: 1 } },
    );
    await openCheckout(app, event.eventId, cart(['Weekend', 2]));

    expect(await takenIn(event)).toEqual([2, 2]);
    expect(await availabilityIn(event)).toEqual({ Saturday: 1, Sunday: 8, Weekend: 1 });
    expect(await checkOut(event, ['Weekend', 1], ['Saturday', 1])).toMatchObject({ status: 409 });
    expect(await takenIn(event)).toEqual([2, 2]);
  });
});

it("keeps a buyer's open checkout if it would not make up what the cart is short of [RES-4 STOCK-2]", async () => {
  const event = await eventWith([type('Adult', 50), type('Student', 50)], { ...hall, capacity: 11 });
  const buyer = app.visitor({ isBrowser: true });
  const { eventId } = event;
  expectOk(await buyer.call(createCheckoutSession, { eventId, cartItems: cart(['Student', 1]) }));

  const denied = await buyer.call(createCheckoutSession, { eventId, cartItems: cart(['Adult', 8], ['Student', 4]) });

  expect(denied).toMatchObject({ status: 409, body: { code: 'checkout.sold-out' } });
  expect(await takenIn(event)).toEqual([1]);
});

it('counts once among what an event has left, by its members [RES-3 STOCK-1]', async () => {
  const event = await eventWith(
    [type('Adult', 50), type('Student', 50), type('Seated', 5)],
    { ...hall, capacity: 30, units: { Adult: 1, Student: 2 } },
    { name: 'Balcony', capacity: 1000, units: { Seated: 1 } },
  );
  await openCheckout(app, event.eventId, cart(['Student', 4], ['Adult', 3]));

  expect(await countUnsoldTickets(app.db, event.eventId)).toEqual({ unsold: 35, unpaid: 11 });
  await buyTickets(app, event.eventId, cart(['Student', 2]));
  expect(await countUnsoldTickets(app.db, event.eventId)).toEqual({ unsold: 31, unpaid: 11 });
});

describe('the seats of a shared capacity return once', () => {
  it('with a reservation that expires, and with a checkout that is closed [STOCK-3]', async () => {
    const event = await twoTypes();
    await openCheckout(app, event.eventId, cart(['Adult', 3], ['Student', 2]));
    expect(await takenIn(event)).toEqual([5]);
    await app.advance({ minutes: 33 });
    await app.settle();
    await expect.poll(() => takenIn(event)).toEqual([0]);

    await openCheckout(app, event.eventId, cart(['Student', 4]));
    await closeCheckouts(app.deps, event);
    await closeCheckouts(app.deps, event);
    expect(await takenIn(event)).toEqual([0]);
    expect(await brokenCounters()).toEqual([]);
  });

  it('with a refund, and with a lost dispute but for an admitted ticket [STOCK-3]', async () => {
    const event = await twoTypes();
    const refunded = await buyTickets(app, event.eventId, cart(['Adult', 2]));
    const disputed = await buyTickets(app, event.eventId, cart(['Student', 3]));
    const [confirmationCode = ''] = codesOf(refunded);
    const [admitted = ''] = codesOf(disputed);
    const { eventId } = event;
    for (let time = 0; time < 2; time++) await app.call(requestRefund, { eventId, confirmationCode });
    await app.settle();
    expect(await takenIn(event)).toEqual([4]);

    const attendant = await attendantOf(app, eventId, event.attendantCode);
    expectOk(await attendant.call(checkGuest, { eventId, confirmationNumber: admitted }));
    const disputeId = await disputePayment(app, eventId, { which: 1 });
    await decideDispute(app, disputeId, 'lost');
    expect(await takenIn(event)).toEqual([2]);
    expect(await brokenCounters()).toEqual([]);
  });
});

describe('a payment after the reservation expired', () => {
  async function expiredCheckout(event: Awaited<ReturnType<typeof twoTypes>>) {
    const checkout = await openCheckout(app, event.eventId, cart(['Adult', 3], ['Student', 2]));
    const orders = app.db.updateTable('orders').where('sessionId', '=', checkout.sessionId);
    await orders.set({ state: 'expired', networkHash: null }).execute();
    await app.db.updateTable('ticketTypes').set({ reserved: 0 }).where('eventId', '=', event.eventId).execute();
    await app.db.updateTable('sharedCapacities').set({ reserved: 0 }).where('eventId', '=', event.eventId).execute();
    return checkout;
  }

  it('takes the seats again [STOCK-3]', async () => {
    const event = await twoTypes();
    const checkout = await expiredCheckout(event);
    await checkout.pay('again@example.com');
    await app.settle();

    expect(await takenIn(event)).toEqual([5]);
    expect((await checkout.poll()).status).toBe('confirmed');
  });

  it('is refunded if they are gone, whichever type took them [STOCK-3]', async () => {
    const event = await twoTypes();
    const checkout = await expiredCheckout(event);
    for (const quantity of [100, 96]) await openCheckout(app, event.eventId, cart(['Student', quantity]));
    await checkout.pay('gone@example.com');
    await app.settle();

    expect(await takenIn(event)).toEqual([196]);
    const order = app.db.selectFrom('orders').where('sessionId', '=', checkout.sessionId).select('state');
    expect(await order.executeTakeFirst()).toEqual({ state: 'unfulfillable' });
    expect(await emailsTo(app, 'gone@example.com')).toHaveLength(1);
  });
});
