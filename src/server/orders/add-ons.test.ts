/** Add-ons: sold like tickets, handed out at the door, and left out of an event's limit per order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { createEvent, editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { ledgerOf, reservedOf } from '#tests/support/money.ts';
import { buyTickets, eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const seat = { ticketName: 'Seat', ticketDescription: 'Seated', ticketPrice: 20, ticketQuantity: 200 };
const shirt = {
  ticketName: 'T-shirt',
  ticketDescription: 'Black',
  ticketPrice: 15,
  ticketQuantity: 200,
  isAddOn: true,
};

const eventWith = (change: object = {}) =>
  eventOnSale(app, { tickets: [seat, { ...shirt, ...change }], maxPerOrder: '4' });

const cart = (seats: number, shirts: number) =>
  [
    { ticketName: 'Seat', quantity: seats },
    { ticketName: 'T-shirt', quantity: shirts },
  ].filter(({ quantity }) => quantity > 0);

describe('An add-on', () => {
  it('is sold, numbered and refunded like a ticket [PRICE-6]', async () => {
    const { eventId } = await eventWith();
    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ tickets: [{}, { isAddOn: true }] });

    const { confirmationData } = await buyTickets(app, eventId, cart(1, 1));
    expect(confirmationData.map(({ ticketName }) => ticketName)).toEqual(['Seat', 'T-shirt']);
    const confirmationCode = confirmationData[1]?.confirmationNumber ?? '';
    expect(confirmationCode).toMatch(/^\d{10}$/);

    expectOk(await app.call(requestRefund, { eventId, confirmationCode }));
    await app.settle();
    expect(await ledgerOf(app, eventId, 'refund')).toEqual([
      'refund organizer-payable 1500',
      'refund owed-to-buyers -1500',
    ]);
    expect(await reservedOf(app, eventId)).toBe(1);
  });

  it("is left out of the event's limit, in any order of the items and in a batch [PRICE-6 STOCK-6]", async () => {
    const { eventId } = await eventWith();
    const order = async (cartItems: ReturnType<typeof cart>) =>
      (await app.visitor().call(createCheckoutSession, { eventId, cartItems })).status;

    expect(await Promise.all([order(cart(4, 10)), order(cart(4, 10).toReversed()), order(cart(0, 20))])).toEqual([
      200, 200, 200,
    ]);
    const tooMany = await app.visitor().call(createCheckoutSession, { eventId, cartItems: cart(5, 1) });
    expect(tooMany).toMatchObject({ status: 409, body: errorBody('checkout.too-many-tickets', { max: 4 }) });
  });

  it('counts in the most that any order can have [PRICE-6]', async () => {
    const { eventId } = await eventWith();
    const tooMany = await app.visitor().call(createCheckoutSession, { eventId, cartItems: cart(4, 97) });

    expect(tooMany).toMatchObject({ status: 409, body: errorBody('checkout.too-many-tickets', { max: 100 }) });
  });

  it('may need more per order than the event takes of tickets [PRICE-6]', async () => {
    const { eventId } = await eventWith({ minPerOrder: 6 });

    expect((await app.call(publicEvent, { eventId })).body).toMatchObject({ tickets: [{}, { minPerOrder: 6 }] });
  });

  it('becomes a ticket, or the other way, only while none is sold [PRICE-6]', async () => {
    const event = await eventWith();
    const { eventId, visitor } = event;
    const form = async (isAddOn: boolean) => {
      const { tickets, maxPerOrder } = expectOk(await visitor.call(eventTickets, { eventId }));
      return { eventId, maxPerOrder, tickets: tickets.map((one, row) => ({ ...one, isAddOn: row === 1 && isAddOn })) };
    };
    expectOk(await visitor.call(editTickets, await form(false)));
    expectOk(await visitor.call(editTickets, await form(true)));
    await buyTickets(app, eventId, cart(0, 1));

    const changed = await visitor.call(editTickets, await form(false));
    expect(changed).toMatchObject({ status: 409, body: errorBody('edit.add-on-sold', { name: 'T-shirt' }) });
    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    expect(tickets.map(({ isAddOn = false }) => isAddOn)).toEqual([false, true]);
  });

  it('is not the only thing on sale [PRICE-6]', async () => {
    const { visitor } = await eventWith();
    const alone = await visitor.call(createEvent, eventForm(app, { tickets: [shirt] }));

    expect(alone).toMatchObject({
      status: 400,
      body: { params: { field: 'tickets', reason: 'tickets.only-add-ons' } },
    });
  });
});
