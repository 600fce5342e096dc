/** Sales windows and limits per order, over HTTP and under the lock that reserves. */
import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import type { createEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';
import { dayOfClockChange } from '#tests/support/clock-changes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { eveningIn } from '#tests/support/local-days.ts';
import { at, reservedOf } from '#tests/support/money.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { emailsTo, eventForm, eventOnSale, expectOk, generalAdmission, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reserveOrder } from './reserve-order.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

type Form = InputOf<typeof createEvent>;
type Cart = InputOf<typeof createCheckoutSession>['cartItems'];

const GENERAL = 'General admission';
const zone = 'America/New_York';

async function eventWith(change: Partial<Form['tickets'][number]>, rest: Partial<Form> = {}) {
  const tickets = eventForm(app).tickets.map((row, index) => (index === 0 ? { ...row, ...change } : row));
  return eventOnSale(app, { tickets, ...rest });
}

const checkOut = (eventId: string, cartItems: Cart) => app.call(createCheckoutSession, { eventId, cartItems });

const terms = { pagesPerSecond: null, unpaidMax: null };

/** Three tickets of the first type, priced before. */
async function orderOf(eventId: string) {
  const type = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('name', '=', GENERAL);
  const { id } = await type.select('id').executeTakeFirstOrThrow();
  const line = {
    ticketTypeId: id,
    ticketName: GENERAL,
    listPriceCents: 24_00,
    unitPriceCents: 24_00,
    promoCodeId: null,
    quantity: 3,
  };
  return { eventId, orderId: newId(), cartId: null, networkHash: null, totalCents: 72_00, lines: [line] };
}

const inSeconds = (seconds: number) => new Date(app.now().getTime() + seconds * 1000).toISOString();

describe('a sales window', () => {
  it('ends at its instant and not before [STOCK-4]', async () => {
    const edge = new Date(app.now().getTime() + 600_000);
    const { eventId } = await eventWith({ salesUntil: edge.toISOString() });

    const inTime = await at(app, new Date(edge.getTime() - 1), () => checkOut(eventId, generalAdmission(2)));
    const tooLate = await at(app, edge, () => checkOut(eventId, generalAdmission(1)));

    expectOk(inTime);
    const params = { name: GENERAL, from: null, after: null, timezone: zone };
    expect(tooLate).toMatchObject({ status: 409, body: errorBody('checkout.not-on-sale', params) });
  });

  it('of the hour that occurs twice ends with the second one [STOCK-4]', async () => {
    const day = dayOfClockChange(app.now(), 'repeated');
    // The clocks go back at 2:00 AM, which is 6:00 AM UTC.
    const edge = new Date(`${day}T06:30:00.000Z`);
    const { eventId } = await eventWith({ salesUntil: `${day}T01:30` }, eveningIn(edge, 1));
    const order = await orderOf(eventId);

    const reserveAt = (ms: number) =>
      at(app, new Date(edge.getTime() + ms), () => reserveOrder(app.db, { ...order, orderId: newId() }, terms));
    expect([await reserveAt(-1), await reserveAt(0)]).toMatchObject([{ is: 'reserved' }, { is: 'changed' }]);
  });

  it('begins at its instant and not before [STOCK-4]', async () => {
    const edge = new Date(app.now().getTime() + 600_000);
    const { eventId } = await eventWith({ salesFrom: edge.toISOString() });

    const early = await at(app, new Date(edge.getTime() - 1), () => checkOut(eventId, generalAdmission(1)));
    const inTime = await at(app, edge, () => checkOut(eventId, generalAdmission(1)));

    const params = { from: edge.toISOString() };
    expect(early).toMatchObject({ status: 409, body: { code: 'checkout.not-on-sale', params } });
    expectOk(inTime);
  });

  it('has no say once the tickets are reserved: they are paid for, and the repeated click gets its page [STOCK-4]', async () => {
    const { eventId } = await eventWith({ salesUntil: inSeconds(600) });
    const cartId = randomUUID();
    const click = () => app.call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(2) });
    const first = expectOk(await click());
    await app.advance({ seconds: 700 });
    // The server forgets the event from before the end.
    freezeMonotonicClock().advance(1000);

    const repeated = expectOk(await click());
    const other = await app.call(createCheckoutSession, { eventId, cartId, cartItems: generalAdmission(3) });
    await pay(app.visitor(), repeated.url, 'late@example.com');
    await app.settle();

    expect(repeated).toEqual(first);
    expect(other).toMatchObject({ status: 409, body: { code: 'checkout.not-on-sale' } });
    expect(await emailsTo(app, 'late@example.com')).toHaveLength(1);
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('does not close other ticket types [STOCK-4]', async () => {
    const { eventId } = await eventWith({ salesFrom: inSeconds(600) });
    expectOk(await checkOut(eventId, [{ ticketName: 'Balcony', quantity: 1 }]));
  });
});

describe('limits per order', () => {
  const items = (...quantities: number[]) => quantities.map((quantity) => ({ ticketName: GENERAL, quantity }));
  const balcony = { ticketName: 'Balcony', quantity: 1 };
  const tooMany = errorBody('checkout.too-many', { name: GENERAL, max: 4 });
  const tooFew = errorBody('checkout.too-few', { name: GENERAL, min: 2 });

  it.each([
    [items(5), tooMany],
    [items(4, 1), tooMany],
    [items(1, 1, 1, 1, 1), tooMany],
    [[...items(3), balcony, { ticketName: ' general ADMISSION ', quantity: 2 }], tooMany],
    [items(1), tooFew],
    [[balcony, ...items(1)], tooFew],
    [[...items(4), { ...balcony, quantity: 3 }], errorBody('checkout.too-many-tickets', { max: 6 })],
  ])('deny %j and reserve nothing [STOCK-6]', async (cart, body) => {
    const { eventId } = await eventWith({ minPerOrder: 2, maxPerOrder: 4 }, { maxPerOrder: 6 });

    expect(await checkOut(eventId, cart)).toMatchObject({ status: 409, body });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('sell up to the limit [STOCK-6]', async () => {
    const { eventId } = await eventWith({ minPerOrder: 2, maxPerOrder: 4 }, { maxPerOrder: 6 });

    expectOk(await checkOut(eventId, [...items(4), { ...balcony, quantity: 2 }]));
    expect(await reservedOf(app, eventId)).toBe(6);
  });
});

describe('the lock that reserves', () => {
  const past = new Date('2026-01-01T00:00:00Z');

  /** Reserves as a process does that remembers the event from before the change. */
  async function reserveAfter(change: {
    type?: Updateable<Schema['ticketTypes']>;
    event?: Updateable<Schema['events']>;
  }) {
    const { eventId } = await eventOnSale(app);
    const type = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('name', '=', GENERAL);
    const { id } = await type.select('id').executeTakeFirstOrThrow();
    if (change.type)
      await app.db
        .updateTable('ticketTypes')
        .set(change.type)
        .where('eventId', '=', eventId)
        .where('id', '=', id)
        .execute();
    if (change.event) await app.db.updateTable('events').set(change.event).where('id', '=', eventId).execute();
    return { eventId, result: await reserveOrder(app.db, await orderOf(eventId), terms) };
  }

  it.each([
    ['a window that has ended', { type: { salesUntil: past } }],
    ['a higher minimum', { type: { minPerOrder: 4 } }],
    ['a lower maximum', { type: { maxPerOrder: 2 } }],
    ["a lower limit of the event's orders", { event: { maxPerOrder: 2 } }],
  ])('detects %s since the cart was priced [STOCK-4 STOCK-6]', async (_what, change) => {
    const { eventId, result } = await reserveAfter(change);

    expect(result).toEqual({ is: 'changed' });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it('leads to the reason, which the buyer reads [STOCK-6]', async () => {
    const { eventId } = await eventOnSale(app);
    // The server remembers the event from this checkout for a moment.
    expectOk(await checkOut(eventId, generalAdmission(3)));
    await app.db.updateTable('events').set({ maxPerOrder: 2 }).where('id', '=', eventId).execute();

    const denied = await checkOut(eventId, generalAdmission(3));

    expect(denied).toMatchObject({ status: 409, body: errorBody('checkout.too-many-tickets', { max: 2 }) });
    expect(await reservedOf(app, eventId)).toBe(3);
  });
});
