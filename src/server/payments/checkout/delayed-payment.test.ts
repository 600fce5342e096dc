import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/checkout.ts';
import { ledgerOf, reservedOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, goodCard, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Stripe's test bank accounts: the payment succeeds or fails an hour later. */
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
  const readPage = async () => (await buyer.call(contract.checkoutSession, { sessionId: session.body.id })).body;
  return { eventId, readPage };
}

const processing = { status: 'processing', confirmationData: [], order: null };

describe('a delayed payment', () => {
  it('keeps its stock and issues tickets once the money arrives', async () => {
    const { eventId, readPage } = await payByBank('slow@example.com', bankThatPays);

    expect(await readPage()).toEqual(processing);
    // The reservation has expired, but the payment is still processing.
    await app.advance({ minutes: 40 });
    await settleLapsedOrders(app.deps);
    expect(await readPage()).toEqual(processing);
    expect(await reservedOf(app, eventId)).toBe(2);
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect(await emailsTo(app, 'slow@example.com')).toEqual([]);

    await app.advance({ minutes: 30 });
    await app.settle();
    expect(await emailsTo(app, 'slow@example.com')).toHaveLength(1);
    expect(await readPage()).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(await ledgerOf(app, eventId, 'sale')).toEqual(['sale organizer-payable -7700', 'sale processor 7700']);
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('releases its stock when the payment fails', async () => {
    const { eventId, readPage } = await payByBank('never@example.com', bankThatFails);
    expect(await readPage()).toEqual(processing);
    expect(await reservedOf(app, eventId)).toBe(2);

    await app.advance({ minutes: 65 });
    await app.settle();

    expect(await reservedOf(app, eventId)).toBe(0);
    expect(await readPage()).toEqual({ status: 'expired', confirmationData: [], order: null });
    expect(await ledgerOf(app, eventId)).toEqual([]);
    expect(await emailsTo(app, 'never@example.com')).toEqual([]);
  });
});
