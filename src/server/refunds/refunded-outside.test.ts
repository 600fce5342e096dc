/** A person at the card company's dashboard and the buyer, at the same instant. */
import { describe, expect, it } from 'vitest';
import { refundRefusals, requestRefund } from '#contract/refunds.ts';
import { bookOf, paymentOf, planFault, reservedOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { withWorld } from '#tests/support/with-world.ts';
import type { World } from '#tests/support/world.ts';
import { applyRefunds } from './apply-refunds.ts';

let world: World;
withWorld((opened) => {
  world = opened;
});

/** A ticket the money of which went back at the card company, and nobody has told us yet. */
async function refundedOutside() {
  const { eventId } = await eventOnSale(world);
  // A balance to refund from: the card company's own fee is never given back.
  await buyTickets(world, (await eventOnSale(world)).eventId, generalAdmission(5));
  const [code = ''] = codesOf(await buyTickets(world, eventId, generalAdmission(1)));
  await world.settle();
  const payment = await paymentOf(world, eventId);
  await planFault(world, { webhook: 'drop', times: 1000 });
  const { refunds } = stripeOf(world);
  const { id } = await refunds.create({ payment_intent: payment });
  return {
    eventId,
    id,
    ask: () => world.call(requestRefund, { eventId, confirmationCode: code }),
    hear: () => hearOf(payment),
    all: async () => (await refunds.list({ payment_intent: payment })).data.map((refund) => refund.id),
  };
}

async function hearOf(payment: string): Promise<void> {
  const reading = await world.deps.cards.readPayment(payment);
  if (!reading?.order) throw new Error('the payment names no order');
  await applyRefunds(world.deps, reading.order, reading);
}

async function recordOf(eventId: string) {
  const { db } = world;
  const refunds = await db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'state']).execute();
  const tickets = await db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  const payable = (await bookOf(world, eventId)).filter((line) => line.includes(' organizer-payable '));
  return {
    refunds: refunds.map(({ reason, state }) => `${reason} ${state}`).sort(),
    tickets: tickets.map(({ state }) => state),
    reserved: await reservedOf(world, eventId),
    payable: payable.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
  };
}

describe('money that goes back at the card company itself', () => {
  it('is not promised again to its buyer, who asks when we hear of it', async () => {
    const { eventId, id, ask, hear, all } = await refundedOutside();

    const outcomes = await raceFor<unknown>(world, 'orders', eventId, [hear, ask]);

    const refunds = ['external sent'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(outcomes[1]).toMatchObject({ status: 409, body: { msg: refundRefusals.void } });
    expect(await all()).toEqual([id]);
  });

  it('is on record once, though its buyer asked first and we hear of it twice', async () => {
    const { eventId, id, ask, hear, all } = await refundedOutside();

    await raceFor<unknown>(world, 'orders', eventId, [ask, hear, hear]);

    const refunds = ['external sent', 'requested refused'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(await all()).toEqual([id]);
  });
});
