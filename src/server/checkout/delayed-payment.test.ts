import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/checkout.ts';
import { bookOf, reservedOf } from '#tests/support/money.ts';
import { eventOnSale, goodCard, mailTo, pay } from '#tests/support/people.ts';
import { openWorld, type World } from '#tests/support/world.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Of the card company's test accounts: the money comes an hour later, or does not. */
const bankThatPays = { ...goodCard, number: '000123456789' };
const bankThatFails = { ...goodCard, number: '000111111116' };

async function payByBank(email: string, bank: typeof goodCard) {
  const { eventId } = await eventOnSale(world);
  const buyer = world.visitor();
  const cartItems = [{ ticketName: 'Balcony', quantity: 2 }];
  const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems });
  const paid = await pay(buyer, session.body.url, email, bank);
  expect(paid.status).toBe(303);
  await world.settle();
  const look = async () => (await buyer.call(contract.checkoutSession, { sessionId: session.body.id })).body;
  return { eventId, look };
}

const processing = { status: 'processing', confirmationData: [], order: null };

describe('a payment that takes its time', () => {
  it('makes no tickets until the money is there, and keeps their places meanwhile', async () => {
    const { eventId, look } = await payByBank('slow@example.com', bankThatPays);

    expect(await look()).toEqual(processing);
    // The hold is over by now, and the money still under way.
    await world.advance({ minutes: 40 });
    await settleLapsedOrders(world.deps);
    expect(await look()).toEqual(processing);
    expect(await reservedOf(world, eventId)).toBe(2);
    expect(await bookOf(world, eventId)).toEqual([]);
    expect(await mailTo(world, 'slow@example.com')).toEqual([]);

    await world.advance({ minutes: 30 });
    await world.settle();
    expect(await mailTo(world, 'slow@example.com')).toHaveLength(1);
    expect(await look()).toMatchObject({ status: 'confirmed', confirmationData: [{}, {}] });
    expect(await bookOf(world, eventId, 'sale')).toEqual(['sale organizer-payable -7700', 'sale processor 7700']);
    expect(await reservedOf(world, eventId)).toBe(2);
  });

  it('gives the places back when the money does not come', async () => {
    const { eventId, look } = await payByBank('never@example.com', bankThatFails);
    expect(await look()).toEqual(processing);
    expect(await reservedOf(world, eventId)).toBe(2);

    await world.advance({ minutes: 65 });
    await world.settle();

    expect(await reservedOf(world, eventId)).toBe(0);
    expect(await look()).toEqual({ status: 'expired', confirmationData: [], order: null });
    expect(await bookOf(world, eventId)).toEqual([]);
    expect(await mailTo(world, 'never@example.com')).toEqual([]);
  });
});
