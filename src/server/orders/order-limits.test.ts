/** Sales windows and limits per order, over HTTP and under the lock that reserves. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { createEvent } from '#contract/app/events.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { reservedOf } from '#tests/support/money.ts';
import { emailsTo, eventForm, eventOnSale, expectOk, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { cachedEventOnSale, reserveOrder } from './reserve-order.ts';

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

const inSeconds = (seconds: number) => new Date(app.now().getTime() + seconds * 1000).toISOString();

describe('a sales window', () => {
  it('ends at its instant and not before; what was reserved until then can be paid [STOCK-4]', async () => {
    const salesUntil = inSeconds(600);
    const { eventId } = await eventWith({ salesUntil });
    await app.advance({ seconds: Math.floor((Date.parse(salesUntil) - app.now().getTime()) / 1000) - 5 });
    const reserved = await openCheckout(app, eventId, generalAdmission(2));
    await app.advance({ seconds: 5 });

    const denied = await checkOut(eventId, generalAdmission(1));

    expect(denied).toMatchObject({
      status: 409,
      body: errorBody('checkout.not-on-sale', { name: GENERAL, from: null, timezone: zone }),
    });
    await reserved.pay('late@example.com');
    await app.settle();
    expect((await reserved.poll()).status).toBe('confirmed');
    expect(await emailsTo(app, 'late@example.com')).toHaveLength(1);
  });

  it('begins at its instant [STOCK-4]', async () => {
    const salesFrom = inSeconds(600);
    const { eventId } = await eventWith({ salesFrom });

    const early = await checkOut(eventId, generalAdmission(1));
    await app.advance({ seconds: 600 });

    expect(early).toMatchObject({ status: 409, body: { code: 'checkout.not-on-sale', params: { from: salesFrom } } });
    expectOk(await checkOut(eventId, generalAdmission(1)));
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
  const terms = { pagesPerSecond: null, unpaidMax: null };
  const past = new Date('2026-01-01T00:00:00Z');

  /** Reserves as a process does that remembers the event from before the change. */
  async function reserveAfter(change: { salesUntil: Date } | { minPerOrder: number } | { maxPerOrder: number }) {
    const { eventId } = await eventOnSale(app);
    const type = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('name', '=', GENERAL);
    const { id } = await type.select('id').executeTakeFirstOrThrow();
    await app.db.updateTable('ticketTypes').set(change).where('eventId', '=', eventId).where('id', '=', id).execute();
    const line = { ticketTypeId: id, ticketName: GENERAL, unitPriceCents: 24_00, quantity: 3 };
    const order = { eventId, orderId: newId(), cartId: null, networkHash: null, totalCents: 72_00, lines: [line] };
    return { eventId, result: await reserveOrder(app.db, order, terms) };
  }

  it.each([
    ['a window that has ended', { salesUntil: past }],
    ['a higher minimum', { minPerOrder: 4 }],
    ['a lower maximum', { maxPerOrder: 2 }],
  ])('notices %s since the cart was priced [STOCK-4 STOCK-6]', async (_what, change) => {
    const { eventId, result } = await reserveAfter(change);

    expect(result).toEqual({ is: 'changed' });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it("notices a lower limit of the event's orders, and the buyer is told [STOCK-6]", async () => {
    const { eventId } = await eventOnSale(app);
    expectOk(await checkOut(eventId, generalAdmission(3)));
    expect(cachedEventOnSale(app.db, eventId)).toMatchObject({ maxPerOrder: 100 });
    await app.db.updateTable('events').set({ maxPerOrder: 2 }).where('id', '=', eventId).execute();

    const denied = await checkOut(eventId, generalAdmission(3));

    expect(denied).toMatchObject({ status: 409, body: errorBody('checkout.too-many-tickets', { max: 2 }) });
    expect(await reservedOf(app, eventId)).toBe(3);
  });
});
