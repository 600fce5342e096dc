import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/checkout.ts';
import { ledgerOf, reservedOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, goodCard, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Of the card company's test accounts: the money comes an hour later, or does not. */
const bankThatPays = { ...goodCard, number: '000123456789' };
const bankThatFails = { ...goodCard, number: '000111111116' };

async function payByBank(email: string, bank: typeof goodCard) {
  const { eventId } = await eventOnSale(app);
  const buyer = app.visitor();
  const cartItems = [{ ticketName: 'Balcony', quantity: 2 }];
  const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems });
  const paid = await pay(buyer, session.body.url, email, bank);
  expect(paid.status).toBe(303);
  await app.settle();
  const look = async () => (await buyer.call(contract.checkoutSession, { sessionId: session.body.id })).body;
  return { eventId, look };
}

const processing = { status: 'processing', confirmationData: [], order: null };

describe('a payment that takes its time', () => {
  it('makes no tickets until the money is there, and keeps their places meanwhile', async () => {
    const { eventId, look } = await payByBank('slow@example.com', bankThatPays);

    expect(await look()).toEqual(processing);
    // The hold is over by now, and the money still under way.
    await app.advance({ minutes: 40 });
    await settleLapsedOrders(app.deps);
    expect(await look()).toEqual(processing);
    expect(await reservedOf(app, eventId)).toBe(2);
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect(await emailsTo(app, 'slow@example.com')).toEqual([]);

    await app.advance({ minutes: 30 });
    await app.settle();
    expect(await emailsTo(app, 'slow@example.com')).toHaveLength(1);
    expect(await look()).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(await ledgerOf(app, eventId, 'sale')).toEqual(['sale organizer-payable -7700', 'sale processor 7700']);
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('gives the places back when the money does not come', async () => {
    const { eventId, look } = await payByBank('never@example.com', bankThatFails);
    expect(await look()).toEqual(processing);
    expect(await reservedOf(app, eventId)).toBe(2);

    await app.advance({ minutes: 65 });
    await app.settle();

    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await look()).toEqual({ status: 'expired', confirmationData: [], order: null });
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect(await emailsTo(app, 'never@example.com')).toEqual([]);
  });
});
