/** Races between a Stripe dashboard refund and the buyer's refund request. */
import { describe, expect, it } from 'vitest';
import { requestRefund } from '#contract/app/refunds.ts';
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

/** A ticket refunded in the Stripe dashboard while webhooks are dropped. */
async function dashboardRefund() {
  const { eventId } = await eventOnSale(app);
  // Adds to the Stripe balance: Stripe keeps its fee, so refunds need other funds.
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
    request: () => app.call(requestRefund, { eventId, confirmationCode: code }),
    sync: () => syncRefunds(payment),
    all: async () => (await refunds.list({ payment_intent: payment })).data.map((refund) => refund.id),
  };
}

async function syncRefunds(payment: string): Promise<void> {
  const reading = await app.deps.paymentProcessor.readPayment(payment);
  if (!reading?.order) throw new Error('the payment has no order');
  await applyRefunds(app.deps, reading.order, reading);
}

async function recordOf(eventId: string) {
  const { db } = app;
  const refunds = await db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'state']).execute();
  const tickets = await db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
  const payable = (await ledgerOf(app, eventId)).filter((entry) => entry.includes(' organizer-payable '));
  return {
    refunds: refunds.map(({ reason, state }) => `${reason} ${state}`).sort(),
    tickets: tickets.map(({ state }) => state),
    reserved: await reservedOf(app, eventId),
    payable: payable.reduce((sum, entry) => sum + Number(entry.split(' ').at(-1)), 0),
  };
}

describe('a Stripe dashboard refund', () => {
  it('denies a refund request that arrives during the sync', async () => {
    const { eventId, id, request, sync, all } = await dashboardRefund();

    const replies = await raceFor<unknown>(app, 'orders', eventId, [sync, request]);

    const refunds = ['external sent'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(replies[1]).toMatchObject({ status: 409, body: { code: 'refund.void' } });
    expect(await all()).toEqual([id]);
  });

  it('is recorded once when synced twice after a refund request', async () => {
    const { eventId, id, request, sync, all } = await dashboardRefund();

    await raceFor<unknown>(app, 'orders', eventId, [request, sync, sync]);

    const refunds = ['external sent', 'requested refused'];
    expect(await recordOf(eventId)).toEqual({ refunds, tickets: ['void'], reserved: 0, payable: 0 });
    expect(await all()).toEqual([id]);
  });
});
