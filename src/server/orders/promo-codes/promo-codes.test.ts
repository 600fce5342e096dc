/** Promo codes from the cart to the refund. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { applyPromoCode, endPromoCode } from '#contract/app/sales/promo-codes.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { createCheckoutSession as createAt } from '#server/payments/checkout/create-checkout-session.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { decideDispute, disputePayment, fillBalance } from '#tests/support/disputes.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { at, ledgerOf, movementsAtStripe, reservedOf, stripeObjectsOf, stripeOf } from '#tests/support/money.ts';
import {
  attendantOf,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  goodCard,
  pay,
  takeFreeTickets,
} from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { raceForLock } from '#tests/support/race.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterAll(() => app.close());

const type = (ticketName: string, ticketPrice: number, more: { ticketQuantity?: number; isHidden?: boolean } = {}) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity: 100,
  ...more,
});
const seats = (quantity: number, ticketName = 'Seat') => [{ ticketName, quantity }];

type Form = Parameters<typeof promoForm>[1];

/** With the code SPRING: 20% off, unless `change` says otherwise. */
async function eventWith(change: Form = {}, types = [type('Seat', 19.99)]) {
  const event = await eventOnSale(app, { tickets: types });
  const promoCodeId = await newPromoCode(event, promoForm('SPRING', change));
  return { ...event, promoCodeId };
}

type Event = Awaited<ReturnType<typeof eventWith>>;
type Order = Partial<InputOf<typeof createCheckoutSession>>;

const checkOut = ({ eventId }: Event, order: Order = {}, visitor = app.visitor()) =>
  visitor.call(createCheckoutSession, { eventId, cartItems: seats(1), promoCode: 'SPRING', ...order });

async function buy(event: Event, order: Order = {}, email = 'sam@example.com', card = goodCard) {
  const visitor = app.visitor();
  const { id: sessionId, url } = expectOk(await checkOut(event, order, visitor));
  await pay(visitor, url, email, card);
  return { sessionId, ...expectOk(await visitor.call(checkoutSession, { sessionId })) };
}

async function usesOf({ eventId, promoCodeId }: Event): Promise<number | undefined> {
  const code = app.db.selectFrom('promoCodes').where('eventId', '=', eventId).where('id', '=', promoCodeId);
  return (await code.select('uses').executeTakeFirst())?.uses;
}

/** Without those that the moved clock breaks. */
const brokenCounters = async () =>
  (await brokenInvariants(app.db)).filter((line) => /^(?:promo|discounts|stock|tickets|orders)-/.test(line));

describe('a percentage off', () => {
  it('is the same on the page, at Stripe, in the email and in a refund [PRICE-2 PROMO-2]', async () => {
    const event = await eventWith();
    const shown = expectOk(await app.call(applyPromoCode, { eventId: event.eventId, code: ' spring ' }));
    expect(shown).toMatchObject({
      code: 'SPRING',
      usesLeft: null,
      tickets: [{ ticketName: 'Seat', ticketPrice: 19.99 }],
    });

    const order = await buy(event, { cartItems: seats(3), expectedTotalCents: 47_97 }, 'promo@example.com');
    const lines = await stripeOf(app).checkout.sessions.listLineItems(order.sessionId);
    expect(lines.data.map(({ quantity, price }) => [quantity, price?.unit_amount])).toEqual([[3, 15_99]]);
    expect(await stripeObjectsOf(app, 'charge', event.eventId)).toMatchObject([{ amount: 47_97 }]);
    expect(await ledgerOf(app, event.eventId, 'sale')).toContain('sale organizer-payable -4797');
    const tickets = app.db.selectFrom('tickets').where('eventId', '=', event.eventId);
    expect(await tickets.select('priceCents').execute()).toEqual(Array(3).fill({ priceCents: 15_99 }));
    const [email] = await emailsTo(app, 'promo@example.com');
    expect(email?.text).toContain('$15.99');
    expect(email?.text).toContain('SPRING');

    const [first = ''] = codesOf(order);
    expectOk(await app.call(requestRefund, { eventId: event.eventId, confirmationCode: first }));
    expect(await movementsAtStripe(app, 'refund', event.eventId)).toMatchObject([{ amount: 15_99 }]);
    expect(await usesOf(event)).toBe(2);
    expect(await brokenCounters()).toEqual([]);
  });

  it('of 100 makes an order free: no charge, no ledger entry, no fee [PRICE-5]', async () => {
    const event = await eventWith({ value: 100 });

    const order = await takeFreeTickets(app, event.eventId, seats(2), { promoCode: 'SPRING' });

    expect(order).toMatchObject({ status: 'confirmed' });
    expect(await ledgerOf(app, event.eventId)).toEqual([]);
    expect(await stripeObjectsOf(app, 'charge', event.eventId)).toEqual([]);
  });
});

describe('the uses of a code', () => {
  it('are sold exactly, to fifty buyers of two servers at once [PROMO-3]', async () => {
    const event = await eventWith({ maxUses: 10 }, [type('Seat', 20)]);
    const servers = [app.deps, anotherServer(app.deps)];
    const order = { eventId: event.eventId, cartItems: seats(1), promoCode: 'SPRING' };
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => createAt(servers[index % 2] ?? app.deps, order, '127.0.0.1')),
    );

    expect(replies.filter(({ quote }) => quote === undefined)).toHaveLength(10);
    expect(replies.find(({ quote }) => quote)?.quote).toMatchObject({ totalCents: 20_00 });
    expect([await usesOf(event), await reservedOf(app, event.eventId)]).toEqual([10, 10]);
    expect(await brokenCounters()).toEqual([]);
  });

  it('go to one of two buyers of different tickets who wait for the last one [PROMO-3]', async () => {
    const event = await eventWith({ maxUses: 1 }, [type('Seat', 20), type('Box', 50)]);
    const { eventId } = event;
    const buyAt = (deps: TestApp['deps'], ticketName: string) => () =>
      createAt(deps, { eventId, cartItems: seats(1, ticketName), promoCode: 'SPRING' }, '127.0.0.1');

    const [seat, box] = await raceForLock(app, sql`select from promo_codes where event_id = ${eventId} for update`, [
      buyAt(app.deps, 'Seat'),
      buyAt(anotherServer(app.deps), 'Box'),
    ]);

    // Not always to the first: a buyer who has waited for a moment queues again.
    expect([
      [undefined, 50_00],
      [20_00, undefined],
    ]).toContainEqual([seat?.quote?.totalCents, box?.quote?.totalCents]);
    expect([await usesOf(event), await reservedOf(app, eventId)]).toEqual([1, 1]);
  });

  it('are verified again under the lock, when the price is known from before [PROMO-3]', async () => {
    const event = await eventWith({ maxUses: 1 }, [type('Seat', 20)]);
    const order = { eventId: event.eventId, cartItems: seats(1), promoCode: 'SPRING' };
    const other = anotherServer(app.deps);
    // Both servers remember one use for a quarter of a second; this one sells it.
    await app.call(applyPromoCode, { eventId: event.eventId, code: 'SPRING' });
    const first = await createAt(other, order, '127.0.0.1');
    const second = await createAt(app.deps, order, '127.0.0.1');

    expect(first.quote).toBeUndefined();
    expect(second.quote).toMatchObject({ totalCents: 20_00 });
    expect(await usesOf(event)).toBe(1);
  });

  it('that are too few are quoted, and sold once the buyer accepts the total [PROMO-4]', async () => {
    const event = await eventWith({ maxUses: 2 }, [type('Seat', 20), type('Box', 50)]);
    const cartItems = [...seats(4), ...seats(1, 'Box')];
    const { quote } = expectOk(await checkOut(event, { cartItems }));

    // The most expensive tickets first: $40 for the box, $16 for a seat, $60 for three.
    expect(quote).toMatchObject({ totalCents: 116_00 });
    expect(await reservedOf(app, event.eventId)).toBe(0);
    expect(expectOk(await checkOut(event, { cartItems, expectedTotalCents: 112_00 })).quote).toEqual(quote);

    const order = await buy(event, { cartItems, expectedTotalCents: 116_00 });
    expect(order.confirmationData).toHaveLength(5);
    expect(await stripeObjectsOf(app, 'charge', event.eventId)).toMatchObject([{ amount: 116_00 }]);
    expect(await usesOf(event)).toBe(2);
    expect(await brokenCounters()).toEqual([]);
  });

  it('return once when the reservation expires, the ticket is refunded or a dispute is lost [PROMO-5]', async () => {
    const event = await eventWith({ maxUses: 10 });
    expectOk(await checkOut(event, { cartItems: seats(3) }));
    expect(await usesOf(event)).toBe(3);
    await app.advance({ minutes: UNPAID_RESERVATION_MINUTES + 60 });
    await expect.poll(() => usesOf(event)).toBe(0);

    const order = await buy(event, { cartItems: seats(3) }, 'returns@example.com');
    const [refunded = '', admitted = ''] = codesOf(order);
    const refund = { eventId: event.eventId, confirmationCode: refunded };
    expectOk(await app.call(requestRefund, refund));
    expect(await usesOf(event)).toBe(2);
    expect((await app.call(requestRefund, refund)).status).not.toBe(200);
    expect(await usesOf(event)).toBe(2);

    const door = await attendantOf(app, event.eventId, event.attendantCode);
    expectOk(await door.call(checkGuest, { eventId: event.eventId, confirmationNumber: admitted }));
    const dispute = await disputePayment(app, event.eventId);
    expect(await usesOf(event)).toBe(2);
    await decideDispute(app, dispute, 'lost');
    // The admitted guest keeps theirs.
    await expect.poll(() => usesOf(event)).toBe(1);
    expect(await brokenCounters()).toEqual([]);
  });

  it('are taken again for a payment that arrives late, and the order is refunded when none are left', async () => {
    const event = await eventWith({ maxUses: 2 });
    const late = app.visitor();
    const { id: sessionId } = expectOk(await checkOut(event, { cartItems: seats(2) }, late));
    const { orderId } = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', sessionId)
      .select('id as orderId')
      .executeTakeFirstOrThrow();
    await sql`update orders set state = 'expired' where id = ${orderId}`.execute(app.db);
    await sql`select release_lines(array[${event.eventId}], array[${orderId}]::uuid[])`.execute(app.db);
    expect(await usesOf(event)).toBe(0);

    const again = () =>
      sql<{
        isReserved: boolean;
      }>`select reserve_orders(${event.eventId}, array[${orderId}]::uuid[]) as is_reserved`.execute(app.db);
    expect((await again()).rows).toEqual([{ isReserved: true }]);
    expect(await usesOf(event)).toBe(2);
    expect((await again()).rows).toEqual([{ isReserved: false }]);
    expect([await usesOf(event), await reservedOf(app, event.eventId)]).toEqual([2, 2]);
    await sql`update orders set state = 'reserved' where id = ${orderId}`.execute(app.db);
    expect(await brokenCounters()).toEqual([]);
  });

  it('are available to the buyer who has them, in the same browser [RES-4]', async () => {
    const event = await eventWith({ maxUses: 2 });
    const buyer = app.visitor();
    const cartId = '018f2f2e-1111-7000-8000-000000000001';
    const first = expectOk(await checkOut(event, { cartItems: seats(2), cartId }, buyer));
    // A repeated click keeps the page, although no use is left.
    expect(expectOk(await checkOut(event, { cartItems: seats(2), cartId }, buyer)).id).toBe(first.id);
    // A new tab is another cart: the first one is released.
    const second = expectOk(await checkOut(event, { cartItems: seats(2) }, buyer));
    expect(second.quote).toBeUndefined();
    expect(second.id).not.toBe(first.id);
    expect(await usesOf(event)).toBe(2);
  });
});

describe('a buyer who comes back', () => {
  it('sees the uses of their own reservation, and keeps it [RES-4]', async () => {
    const event = await eventWith({ maxUses: 2 }, [type('Seat', 20)]);
    const buyer = app.visitor();
    const cartId = '018f2f2e-1111-7000-8000-000000000004';
    const order = { cartItems: seats(2), cartId, expectedTotalCents: 32_00 };
    const { id } = expectOk(await checkOut(event, order, buyer));

    const shown = { eventId: event.eventId, code: 'SPRING' };
    expect(expectOk(await buyer.call(applyPromoCode, shown)).usesLeft).toBe(2);
    expect(expectOk(await app.call(applyPromoCode, shown)).usesLeft).toBe(0);
    expect(expectOk(await checkOut(event, order, buyer)).id).toBe(id);
    // A buyer who accepts more than that pays no more.
    expect(expectOk(await checkOut(event, { ...order, expectedTotalCents: 40_00 }, buyer)).id).toBe(id);
  });

  it('keeps what they accepted, also when more uses are left meanwhile [PROMO-4]', async () => {
    const event = await eventWith({ maxUses: 2 }, [type('Seat', 20)]);
    const other = expectOk(await checkOut(event, {}, app.visitor()));
    const buyer = app.visitor();
    const cartId = '018f2f2e-1111-7000-8000-000000000005';
    const order = { cartItems: seats(2), cartId, expectedTotalCents: 36_00 };
    const { id } = expectOk(await checkOut(event, order, buyer));
    await sql`
      with expired as (update orders set state = 'expired' where session_id = ${other.id} returning event_id, id)
      select release_lines(array_agg(event_id), array_agg(id)) from expired`.execute(app.db);
    expect(await usesOf(event)).toBe(1);
    expect(expectOk(await checkOut(event, order, buyer)).id).toBe(id);
  });

  it('loses no reservation to a cart that could not be sold anyway', async () => {
    const event = await eventWith({ maxUses: 2, maxPerOrder: 2 }, [type('Seat', 20)]);
    const buyer = app.visitor();
    const first = expectOk(await checkOut(event, { cartItems: seats(2) }, buyer));
    expect(expectOk(await checkOut(event, { cartItems: seats(3) }, buyer)).quote).toMatchObject({ totalCents: 60_00 });
    expect(await usesOf(event)).toBe(2);
    expect(expectOk(await buyer.call(checkoutSession, { sessionId: first.id })).status).toBe('unpaid');
  });
});

describe('a code', () => {
  it('is for so many tickets of each order [PROMO-3]', async () => {
    const event = await eventWith({ maxPerOrder: 2 }, [type('Seat', 20)]);
    expect(expectOk(await checkOut(event, { cartItems: seats(3) })).quote).toMatchObject({ totalCents: 52_00 });
    expect(expectOk(await checkOut(event, { cartItems: seats(2) })).quote).toBeUndefined();
  });

  it('is valid from its first instant on and before its last [PROMO-3]', async () => {
    const from = new Date(app.now().getTime() + 60 * 60 * 1000);
    const until = new Date(from.getTime() + 60 * 60 * 1000);
    const event = await eventWith({ validFrom: from.toISOString(), validUntil: until.toISOString() });
    const statusAt = (moment: number) => at(app, new Date(moment), async () => (await checkOut(event)).status);

    expect(await statusAt(from.getTime() - 1000)).toBe(404);
    expect(await statusAt(from.getTime())).toBe(200);
    expect(await statusAt(until.getTime() - 1000)).toBe(200);
    expect(await statusAt(until.getTime())).toBe(404);
  });

  it.each(['WINTER', '', 'x'.repeat(100), 'SPRING2', "' or 1=1"])('that is unknown is refused: %j', async (code) => {
    const event = await eventWith();
    const denied = { status: 404, body: { code: 'promo.invalid' } };
    expect(await app.call(applyPromoCode, { eventId: event.eventId, code })).toMatchObject(denied);
    expect(await checkOut(event, { promoCode: code })).toMatchObject(denied);
    expect(await reservedOf(app, event.eventId)).toBe(0);
  });

  it('of ten kilobytes is refused before it is looked up', async () => {
    const event = await eventWith();
    const code = 'S'.repeat(10_000);
    expect((await app.call(applyPromoCode, { eventId: event.eventId, code })).status).toBe(400);
    expect((await checkOut(event, { promoCode: code })).status).toBe(400);
  });

  it('that has ended sells nothing anymore, but a reservation made in time can be paid', async () => {
    const event = await eventWith();
    const buyer = app.visitor();
    const cartId = '018f2f2e-1111-7000-8000-000000000002';
    const page = expectOk(await checkOut(event, { cartId }, buyer));
    expectOk(await event.visitor.call(endPromoCode, event));

    expect(await checkOut(event)).toMatchObject({ status: 404, body: { code: 'promo.invalid' } });
    expect(expectOk(await checkOut(event, { cartId }, buyer)).id).toBe(page.id);
    await pay(buyer, page.url, 'in-time@example.com');
    expect(await stripeObjectsOf(app, 'charge', event.eventId)).toMatchObject([{ amount: 15_99 }]);
  });
});

describe('a hidden ticket type', () => {
  const types = [type('Seat', 20), type('Student', 8, { isHidden: true })];

  it('is nowhere on the page, and unknown without its code [STOCK-7]', async () => {
    const event = await eventWith({ kind: 'unlock', value: '' }, types);
    const { eventId } = event;
    expect(JSON.stringify((await app.call(publicEvent, { eventId })).body)).not.toContain('Student');

    const { id } = await app.db
      .selectFrom('ticketTypes')
      .where('eventId', '=', eventId)
      .where('name', '=', 'Student')
      .select('id')
      .executeTakeFirstOrThrow();
    const byId = [{ ticketId: id, ticketName: 'Student', quantity: 1 }];
    const unknown = { status: 409, body: { code: 'checkout.unknown-ticket' } };
    expect(await app.call(createCheckoutSession, { eventId, cartItems: byId })).toMatchObject(unknown);
    expect(await app.call(createCheckoutSession, { eventId, cartItems: seats(1, 'Student') })).toMatchObject(unknown);
    await newPromoCode(event, promoForm('CHEAP', { value: 50 }));
    expect(await checkOut(event, { cartItems: byId, promoCode: 'CHEAP' })).toMatchObject(unknown);
  });

  it('is shown and sold at its price with the code that unlocks it, as often as that allows [PROMO-1 STOCK-7]', async () => {
    const event = await eventWith({ kind: 'unlock', value: '', maxUses: 2 }, types);
    const { eventId } = event;
    const shown = expectOk(await app.call(applyPromoCode, { eventId, code: 'SPRING' }));
    expect(shown.tickets).toMatchObject([{ ticketName: 'Student', ticketPrice: 8, isHidden: true }]);

    const cartItems = [...seats(1), ...seats(2, 'Student')];
    await buy(event, { cartItems });
    expect(await stripeObjectsOf(app, 'charge', eventId)).toMatchObject([{ amount: 36_00 }]);
    expect(await usesOf(event)).toBe(2);
    const denied = { status: 409, body: { code: 'checkout.promo-used-up', params: { promo: 'SPRING', left: 0 } } };
    expect(await checkOut(event, { cartItems: seats(1, 'Student') })).toMatchObject(denied);
    expect(await brokenCounters()).toEqual([]);
  });
});
