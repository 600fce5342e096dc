/** Ticket types whose price buyers name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { editTickets, eventTickets, publicEvent } from '#contract/app/events.ts';
import { applyPromoCode } from '#contract/app/sales/promo-codes.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { reservedOf, stripeObjectsOf } from '#tests/support/money.ts';
import { eventOnSale, expectOk, openCheckout } from '#tests/support/people.ts';
import { newPromoCode, promoForm } from '#tests/support/promo-codes.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const supporter = {
  ticketName: 'Supporter',
  ticketDescription: 'Pay what you like',
  ticketPrice: 5,
  ticketQuantity: 100,
  hasNamedPrice: true,
  suggestedPrice: '12',
};
const regular = { ticketName: 'Regular', ticketDescription: 'Standing', ticketPrice: 20, ticketQuantity: 100 };

const eventWith = (change: object = {}) => eventOnSale(app, { tickets: [{ ...supporter, ...change }, regular] });

const at = (namedPriceCents?: number, quantity = 1) => ({
  ticketName: 'Supporter',
  quantity,
  ...(namedPriceCents !== undefined && { namedPriceCents }),
});

const linesOf = (eventId: string) =>
  app.db
    .selectFrom('orderLines')
    .where('eventId', '=', eventId)
    .select(['ticketName', 'unitPriceCents', 'quantity', 'source'])
    .orderBy('position')
    .execute();

describe('a price that buyers name', () => {
  it('is what each of them pays, on every ticket of the order [PRICE-1 PRICE-2]', async () => {
    const { eventId } = await eventWith();
    const { body } = await app.call(publicEvent, { eventId });
    expect(body).toMatchObject({ tickets: [{ ticketPrice: 5, hasNamedPrice: true, suggestedPrice: 12 }, {}] });

    const items = [at(7_77, 2), { ticketName: 'Regular', quantity: 1 }];
    const checkout = await openCheckout(app, eventId, items);
    await checkout.pay('named@example.com');
    expect(await checkout.poll()).toMatchObject({ status: 'confirmed' });
    expect(await stripeObjectsOf(app, 'charge', eventId)).toMatchObject([{ amount: 35_54 }]);
    expect(await linesOf(eventId)).toEqual([
      { ticketName: 'Supporter', unitPriceCents: 7_77, quantity: 2, source: 'named' },
      { ticketName: 'Regular', unitPriceCents: 20_00, quantity: 1, source: 'list' },
    ]);

    // Another buyer in the same moment names another one.
    const replies = await Promise.all(
      [5_00, 5_01, 50_000_00].map((cents) => app.call(createCheckoutSession, { eventId, cartItems: [at(cents)] })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await reservedOf(app, eventId)).toBe(6);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it.each([
    ['below the minimum', [at(4_99)]],
    ['above $50,000', [at(50_000_01)]],
    ['missing', [at()]],
    ['not the same for all tickets of the type', [at(6_00), at(7_00)]],
  ])('is denied when it is %s, and nothing is reserved [PRICE-1]', async (_what, cartItems) => {
    const { eventId } = await eventWith();
    expect(await app.call(createCheckoutSession, { eventId, cartItems })).toMatchObject({
      status: 409,
      body: { code: 'checkout.named-price', params: { name: 'Supporter', minCents: 5_00 } },
    });
    expect(await reservedOf(app, eventId)).toBe(0);
  });

  it.each([1.5, '700', 1e300])('is a whole number of cents, and not %j', async (namedPriceCents) => {
    const { eventId } = await eventWith();
    const cartItems = [{ ...at(), namedPriceCents }];
    expect((await app.visitor().send(createCheckoutSession, { eventId, cartItems })).status).toBe(400);
  });

  it('can be 0 where that is the minimum, but not 1 to 49 cents [PRICE-1]', async () => {
    const { eventId } = await eventWith({ ticketPrice: 0, suggestedPrice: '' });
    const statusOf = async (cents: number) =>
      (await app.call(createCheckoutSession, { eventId, cartItems: [at(cents)] })).status;
    expect([await statusOf(0), await statusOf(1), await statusOf(49), await statusOf(50)]).toEqual([
      200, 409, 409, 200,
    ]);
  });

  it('is ignored for a type with a price of its own', async () => {
    const { eventId } = await eventWith();
    const cartItems = [{ ticketName: 'Regular', quantity: 1, namedPriceCents: 1_00 }];
    expectOk(await app.call(createCheckoutSession, { eventId, cartItems }));
    expect(await linesOf(eventId)).toMatchObject([{ unitPriceCents: 20_00, source: 'list' }]);
  });

  it('has no discount from a promo code [PROMO-1]', async () => {
    const event = await eventWith();
    await newPromoCode(event, promoForm('SPRING', { value: 50, maxUses: 1 }));
    const { eventId } = event;
    const applied = expectOk(await app.call(applyPromoCode, { eventId, code: 'SPRING' }));
    expect(applied.tickets.map(({ ticketName }) => ticketName)).toEqual(['Regular']);
    const cartItems = [at(8_00, 3), { ticketName: 'Regular', quantity: 1 }];
    expect(expectOk(await app.call(createCheckoutSession, { eventId, cartItems, promoCode: 'SPRING' })).quote).toBe(
      undefined,
    );
    expect((await linesOf(eventId)).map(({ unitPriceCents }) => unitPriceCents)).toEqual([8_00, 10_00]);
  });

  it('is denied when the minimum rose meanwhile, also in a cart priced before', async () => {
    const event = await eventWith();
    const { eventId, visitor } = event;
    expectOk(await app.call(createCheckoutSession, { eventId, cartItems: [at(6_00)] }));
    const { tickets } = expectOk(await visitor.call(eventTickets, { eventId }));
    const raised = tickets.map((type) => (type.hasNamedPrice ? { ...type, ticketPrice: 9, suggestedPrice: '' } : type));
    expectOk(await visitor.call(editTickets, { eventId, tickets: raised }));
    expect(await app.call(createCheckoutSession, { eventId, cartItems: [at(6_00)] })).toMatchObject({
      status: 409,
      body: { code: 'checkout.named-price', params: { minCents: 9_00 } },
    });
  });

  it.each([
    ['below the minimum', '4.99', 'ticket-suggested.below-minimum'],
    ['below it, because it is 0', '0', 'ticket-suggested.below-minimum'],
    ['no price', 'ten', 'ticket-suggested.invalid'],
  ])('has no suggestion that is %s', async (_what, suggestedPrice, reason) => {
    const event = await eventWith();
    const tickets = [{ ...supporter, suggestedPrice }, regular];
    const params = { field: 'tickets.0.suggestedPrice', reason };
    const reply = await event.visitor.send(editTickets, { eventId: event.eventId, tickets });
    expect(reply).toMatchObject({ status: 400, body: { code: 'form.invalid', params } });
  });
});
