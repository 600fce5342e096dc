/** Transfers and reversals that exist at Stripe but not in our records, as after restoring an older backup. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { requestPayout } from '#contract/app/payouts.ts';
import { sendWaitingPayouts } from '#server/payments/payouts/send-payout.ts';
import { settlePayment } from '#server/payments/reconciliation/settle-payment.ts';
import { newId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { fillBalance, moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import {
  clearFaults,
  movementsAtStripe,
  openPayout,
  planFault,
  simulateAtBank,
  stripeObjectsOf,
  stripeOf,
} from '#tests/support/money.ts';
import { buyTickets, eventOnSale } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendWaitingReversals } from './send-reversal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await fillBalance(app);
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 40, ticketQuantity: 100 }];
/** Two seats at $40 minus their ticket fees. */
const SHARE = 76_90;

type Event = Awaited<ReturnType<typeof soldEvent>>;

/** Two orders of two seats each, at the time the payout opens. */
async function soldEvent() {
  const event = await eventOnSale(app, { tickets });
  for (let orders = 1; orders <= 2; orders++)
    await buyTickets(app, event.eventId, [{ ticketName: 'Seat', quantity: 2 }]);
  await app.settle();
  await openPayout(app, event);
  return event;
}

async function paidOutEvent() {
  const event = await soldEvent();
  await request(event);
  const [transfer] = await movementsAtStripe(app, 'transfer', event.eventId);
  return { ...event, transferId: transfer?.id ?? '' };
}

const request = ({ visitor, eventId }: Event) => visitor.call(requestPayout, { eventId });
const reversalRows = ({ eventId }: Event) =>
  app.db.selectFrom('transferReversals').where('eventId', '=', eventId).selectAll().orderBy('createdAt').execute();
const payoutsOf = ({ eventId }: Event) =>
  app.db.selectFrom('payouts').where('eventId', '=', eventId).selectAll().orderBy('seq').execute();

const reversalsOf = async (transferId: string) =>
  (await stripeOf(app).transfers.listReversals(transferId)).data.map(({ amount }) => amount);

/** Opens a dispute while webhooks are dropped. */
async function disputeWithoutWebhooks({ eventId }: Event, which: number) {
  await planFault(app, { webhook: 'drop', times: 1000 });
  const paymentId = (await stripeObjectsOf(app, 'payment_intent', eventId))[which]?.id ?? '';
  const dispute = await simulateAtBank(app, 'disputes', { payment_intent: paymentId, kind: 'chargeback' });
  return { paymentId, disputeId: dispute.id };
}

/** Creates the reversal that our own call would have made. */
const createOrphanedReversal = (transferId: string, amount: number, madeFor: object) =>
  stripeOf(app).transfers.createReversal(transferId, { amount, metadata: { reversal_id: newId(), ...madeFor } });

async function reconcilePayment(paymentId: string): Promise<void> {
  await settlePayment(app.deps, paymentId);
  await app.settle();
}

describe('an orphaned reversal', () => {
  it('is adopted by its dispute, so nothing is taken twice', async () => {
    const event = await paidOutEvent();
    const { paymentId, disputeId } = await disputeWithoutWebhooks(event, 0);
    const { id } = await createOrphanedReversal(event.transferId, SHARE, { made_for: disputeId });

    await Promise.all([reconcilePayment(paymentId), reconcilePayment(paymentId)]);
    await sendWaitingReversals(app.deps);

    expect(await reversalsOf(event.transferId)).toEqual([SHARE]);
    expect(await reversalRows(event)).toMatchObject([{ state: 'reversed', stripeReversalId: id }]);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('blocks reversals of other disputes until it is in the ledger', async () => {
    const event = await paidOutEvent();
    const [first, second] = [await disputeWithoutWebhooks(event, 0), await disputeWithoutWebhooks(event, 1)];
    await createOrphanedReversal(event.transferId, SHARE, { made_for: first.disputeId });

    await reconcilePayment(second.paymentId);
    expect(await reversalsOf(event.transferId)).toEqual([SHARE]);
    expect(await reversalRows(event)).toMatchObject([
      { state: 'claimed', failureReason: expect.stringContaining('trr_') },
    ]);

    await reconcilePayment(first.paymentId);
    await sendWaitingReversals(app.deps);
    // The transfer contains only the other share minus $15.
    expect(await reversalRows(event)).toMatchObject([{ state: 'receivable' }, { state: 'reversed' }]);
    expect(await reversalsOf(event.transferId)).toEqual([SHARE]);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it.each([
    ['without a known cause', SHARE, false],
    ['of another amount', SHARE - 1, true],
  ])('%s causes neither another reversal nor a debt', async (_, amount, isNamed) => {
    const event = await paidOutEvent();
    const { paymentId, disputeId } = await disputeWithoutWebhooks(event, 0);
    await createOrphanedReversal(event.transferId, amount, isNamed ? { made_for: disputeId } : {});

    await reconcilePayment(paymentId);
    for (let times = 1; times <= 3; times++) await sendWaitingReversals(app.deps);

    expect(await reversalsOf(event.transferId)).toEqual([amount]);
    expect(await reversalRows(event)).toMatchObject([
      { state: 'claimed', failureReason: expect.stringContaining('not in our books') },
    ]);
  });
});

describe('an orphaned transfer', () => {
  it('blocks the payout until it is fully reversed', async () => {
    const event = await soldEvent();
    const { eventId } = event;
    const { organizationId } = await actorOf(app.db, event.email);
    const { accountId } = await app.db
      .selectFrom('payoutAccounts')
      .where('organizationId', '=', organizationId)
      .select('accountId')
      .executeTakeFirstOrThrow();
    const { transfers } = stripeOf(app);
    const orphaned = await transfers.create({
      amount: 100_00,
      currency: 'usd',
      destination: accountId ?? '',
      transfer_group: `event_${eventId}`,
      metadata: { payout_id: newId(), event_id: eventId },
    });
    await request(event);
    await transfers.createReversal(orphaned.id, { amount: 99_99 });
    await sendWaitingPayouts(app.deps);
    expect(await payoutsOf(event)).toMatchObject([
      { state: 'requested', failureReason: expect.stringContaining(orphaned.id) },
    ]);
    expect(await movementsAtStripe(app, 'transfer', eventId)).toHaveLength(1);

    await transfers.createReversal(orphaned.id, { amount: 1 });
    for (let times = 1; times <= 2; times++) await sendWaitingPayouts(app.deps);

    expect(await payoutsOf(event)).toMatchObject([{ state: 'paid', failureReason: null }]);
    expect(await movementsAtStripe(app, 'transfer', eventId)).toHaveLength(2);
  });
});
