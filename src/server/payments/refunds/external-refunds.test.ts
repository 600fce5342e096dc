/** A person at the card company's dashboard and the buyer, at the same instant. */
import { describe, expect, it } from 'vitest';
import { refundErrors, requestRefund } from '#contract/refunds.ts';
import { ledgerOf, paymentOf, planFault, reservedOf, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { applyRefunds } from './apply-refunds.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

/** A ticket the money of which went back at the card company, and nobody has told us yet. */
async function refundedOutside() {
  const { eventId } = await eventOnSale(app);
  // A balance to refund from: the card company's own fee is never given back.
  await buyTickets(app, (await eventOnSale(app)).eventId, generalAdmission(5));
  const [code = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
  await app.settle();
  const payment = await paymentOf(app, eventId);
  await planFault(app, { webhook: 'drop', times: 1000 });
  const { refunds } = stripeOf(app);
  const { id } = await refunds.create({ payment_intent: payment });
  return {
    eventId,
    id,
    ask: () => app.call(requestRefund, { eventId, confirmationCode: code }),
    hear: () => hearOf(payment),
    all: async () => (await refunds.list({ payment_intent: payment })).data.map((refund) => refund.id),
  };
}

async function hearOf(payment: string): Promise<void> {
  const reading = await app.deps.cards.readPayment(payment);
  if (!reading?.order) throw new Error('the payment names no order');
  await applyRefunds(app.deps, reading.order, reading);
}

async function recordOf(eventId: string) {
  const { db } = app;
  const refunds = await db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'state']).execute();
  const tickets = await db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  const payable = (await ledgerOf(app, eventId)).filter((line) => line.includes(' organizer-payable '));
  return {
    refunds: refunds.map(({ reason, state }) => `${reason} ${state}`).sort(),
    tickets: tickets.map(({ state }) => state),
    reserved: await reservedOf(app, eventId),
    payable: payable.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
  };
}

describe('money that goes back at the card company itself', () => {
  it('is not promised again to its buyer, who asks when we hear of it', async () => {
    const { eventId, id, ask, hear, all } = await refundedOutside();

    const outcomes = await raceFor<unknown>(app, 'orders', eventId, [hear, ask]);

    const refunds = ['external sent'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(outcomes[1]).toMatchObject({ status: 409, body: { msg: refundErrors.void } });
    expect(await all()).toEqual([id]);
  });

  it('is on record once, though its buyer asked first and we hear of it twice', async () => {
    const { eventId, id, ask, hear, all } = await refundedOutside();

    await raceFor<unknown>(app, 'orders', eventId, [ask, hear, hear]);

    const refunds = ['external sent', 'requested refused'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(await all()).toEqual([id]);
  });
});
