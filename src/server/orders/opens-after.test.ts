/** A ticket type that opens after another one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { ticketTypeRows } from '#server/events/events.sql.ts';
import { openSuccessors } from '#server/events/open-successors.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { at, reservedOf } from '#tests/support/money.ts';
import { eventForm, eventOnSale, expectOk, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reserveOrder } from './reserve-order.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const row = (ticketName: string, ticketQuantity: number, ticketPrice: number) => ({
  ticketName,
  ticketDescription: 'A ticket',
  ticketPrice,
  ticketQuantity,
});
const EARLY = row('Early bird', 2, 18);
const REGULAR = { ...row('Regular', 100, 24), opensAfter: 'Early bird' };

const event = (early = {}) => eventOnSale(app, { tickets: [{ ...EARLY, ...early }, REGULAR] });

const buy = (eventId: string, ticketName: string, quantity = 1) =>
  app.call(createCheckoutSession, { eventId, cartItems: [{ ticketName, quantity }] });

async function closedIn(eventId: string): Promise<(string | undefined)[]> {
  await app.deps.changes.catchUp();
  const { body } = await app.call(publicEvent, { eventId });
  return 'tickets' in body ? body.tickets.map(({ closed }) => closed) : [];
}

const waits = {
  status: 409,
  body: errorBody('checkout.not-on-sale', {
    name: 'Regular',
    from: null,
    after: 'Early bird',
    timezone: 'America/New_York',
  }),
};

describe('a type that opens after another one', () => {
  it('opens with its last ticket, and stays open when that comes back [STOCK-5]', async () => {
    const { eventId } = await event();
    await openCheckout(app, eventId, [{ ticketName: 'Early bird', quantity: 1 }]);
    expect(await buy(eventId, 'Regular')).toMatchObject(waits);
    expect(await closedIn(eventId)).toEqual([undefined, 'waits']);

    await openCheckout(app, eventId, [{ ticketName: 'Early bird', quantity: 1 }]);
    expect(await closedIn(eventId)).toEqual([undefined, undefined]);
    await app.advance({ minutes: 33 });
    await app.settle();
    await expect.poll(() => reservedOf(app, eventId)).toBe(0);

    expect(await closedIn(eventId)).toEqual([undefined, undefined]);
    const order = expectOk(await buy(eventId, 'Regular', 2));
    const { totalCents } = await app.db
      .selectFrom('orders')
      .where('sessionId', '=', order.id)
      .select('totalCents')
      .executeTakeFirstOrThrow();
    expect(totalCents).toBe(48_00);
    expectOk(await buy(eventId, 'Early bird'));
  });

  it('opens for a cart that comes before any page is read [STOCK-5]', async () => {
    const { eventId } = await event();
    await openCheckout(app, eventId, [{ ticketName: 'Early bird', quantity: 2 }]);
    expectOk(await buy(eventId, 'Regular'));
  });

  it('opens when fewer are left of the other one than an order must have [STOCK-5]', async () => {
    const { eventId } = await event({ ticketQuantity: 3, minPerOrder: 2 });
    await openCheckout(app, eventId, [{ ticketName: 'Early bird', quantity: 2 }]);
    expectOk(await buy(eventId, 'Regular'));
  });

  it('stays closed if an edit gave it another one to wait for while it was about to open [STOCK-5]', async () => {
    const { eventId } = await event();
    const types = await ticketTypeRows(app.db, [eventId]);
    const [early, regular] = types;
    if (!early || !regular) throw new Error('the event has two ticket types');
    const soldOut = [{ ...early, availableToBuy: 0 }, regular];
    await app.db
      .updateTable('ticketTypes')
      .set({ opensAfter: null })
      .where('eventId', '=', eventId)
      .where('id', '=', regular.id)
      .execute();

    const opened = await openSuccessors(app.db, { id: eventId, now: app.now() }, soldOut);

    expect(opened.map(({ openedAt }) => openedAt)).toEqual([null, null]);
    expect((await ticketTypeRows(app.db, [eventId])).map(({ openedAt }) => openedAt)).toEqual([null, null]);
  });

  it("opens when the other one's sales end [STOCK-5]", async () => {
    const until = new Date(app.now().getTime() + 600_000);
    const { eventId } = await event({ salesUntil: until.toISOString() });

    const before = await at(app, new Date(until.getTime() - 1), () => buy(eventId, 'Regular'));
    const after = await at(app, until, () => buy(eventId, 'Regular'));

    expect(before).toMatchObject(waits);
    expectOk(after);
  });

  it('waits again if it is given another one to wait for [STOCK-5]', async () => {
    const { eventId, visitor } = await event();
    await openCheckout(app, eventId, [{ ticketName: 'Early bird', quantity: 2 }]);
    expect(await closedIn(eventId)).toEqual([undefined, undefined]);
    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    const [early, regular] = tickets;
    if (!early || !regular) throw new Error('the event has two ticket types');

    const next = [early, row('Members', 5, 10), { ...regular, opensAfter: 'Members' }];
    expectOk(await visitor.call(editTickets, { eventId, tickets: next }));

    expect(await closedIn(eventId)).toEqual([undefined, undefined, 'waits']);
  });

  it('opens when the other one is removed [STOCK-5]', async () => {
    const { eventId, visitor } = await event();
    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    const [, regular] = tickets;
    if (!regular) throw new Error('the event has two ticket types');
    const { opensAfter: _, ...kept } = regular;
    expectOk(await visitor.call(editTickets, { eventId, tickets: [kept] }));
    expect(await closedIn(eventId)).toEqual([undefined]);
  });

  it('is judged under the lock that reserves [STOCK-5]', async () => {
    const { eventId } = await event();
    const types = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).where('name', '=', 'Regular');
    const { id } = await types.select('id').executeTakeFirstOrThrow();
    const line = {
      ticketTypeId: id,
      ticketName: 'Regular',
      listPriceCents: 24_00,
      unitPriceCents: 24_00,
      promoCodeId: null,
      quantity: 1,
    };
    const order = { eventId, orderId: newId(), cartId: null, networkHash: null, totalCents: 24_00, lines: [line] };

    expect(await reserveOrder(app.db, order, { pagesPerSecond: null, unpaidMax: null })).toEqual({ is: 'changed' });
  });
});

describe('the order in which types open', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) => ({
      ...row(`Wave ${index}`, 5, 10),
      ...(index > 0 && { opensAfter: `Wave ${index - 1}` }),
    }));

  it.each([
    ['itself', [{ ...EARLY, opensAfter: 'Early bird' }], 0, 'ticket-opens-after.cycle'],
    ['each other', [{ ...EARLY, opensAfter: ' rEGULAR' }, REGULAR], 0, 'ticket-opens-after.cycle'],
    ['an unknown type', [EARLY, { ...REGULAR, opensAfter: 'Members' }], 1, 'ticket-opens-after.unknown'],
    ['more than four others', chain(6), 5, 'ticket-opens-after.too-long'],
  ])('is denied when they wait for %s [STOCK-5]', async (_what, tickets, at, reason) => {
    const { eventId, visitor } = await event();
    const params = { field: `tickets.${at}.opensAfter`, reason };
    expect(await visitor.send(editTickets, { eventId, tickets })).toMatchObject({ status: 400, body: { params } });
  });

  it('may have five types, and is kept by edits that leave it out [STOCK-5]', async () => {
    const { eventId, visitor } = await eventOnSale(app, { tickets: chain(5) });
    const read = async () => expectOk(await visitor.call(eventTickets, { eventId })).tickets;
    const stored = await read();
    expect(stored.map(({ opensAfter }) => opensAfter)).toEqual([
      undefined,
      ...stored.slice(0, 4).map(({ ticketId }) => ticketId),
    ]);

    const tickets = eventForm(app, { tickets: chain(5) }).tickets.map(({ opensAfter: _, ...rest }) => rest);
    expectOk(await visitor.call(editTickets, { eventId, tickets }));
    expect(await read()).toEqual(stored);
  });
});
