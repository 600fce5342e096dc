/** Refunds that exist at Stripe but not in our records, as after restoring an older backup. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { newId } from '#server/platform/ids.ts';
import { moneyErrorsExceptWebhooks } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { until } from '#tests/support/metrics.ts';
import { clearFaults, paymentOf, planFault, stripeOf } from '#tests/support/money.ts';
import { buyTickets, codesOf, eventOnSale, logInAgain } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { applyRefunds } from './apply-refunds.ts';
import { retryRefusedRefunds, sendWaitingRefunds } from './send-waiting-refunds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // Adds to the Stripe balance: Stripe keeps its fee, so refunds need other funds.
  await soldTickets();
});
afterEach(() => clearFaults(app));
afterAll(() => app.close());

type Sold = Awaited<ReturnType<typeof soldTickets>>;

/** An order of three tickets, with ticket ids in the order of the codes. */
async function soldTickets() {
  const event = await eventOnSale(app);
  const order = await buyTickets(app, event.eventId, [{ ticketName: 'General admission', quantity: 3 }]);
  await app.settle();
  const codes = codesOf(order);
  const rows = await app.db
    .selectFrom('tickets')
    .where('eventId', '=', event.eventId)
    .select(['id', 'orderId', 'confirmationNumber'])
    .execute();
  const tickets = codes.map((code) => rows.find(({ confirmationNumber }) => confirmationNumber === code)?.id ?? '');
  return { ...event, codes, tickets, orderId: rows[0]?.orderId ?? '' };
}

/** Creates the refund that our own call would have made, without a webhook. */
async function createOrphanedRefund({ eventId, orderId }: Sold, ticketId?: string) {
  await planFault(app, { webhook: 'drop', times: 1000 });
  const metadata = {
    refund_id: newId(),
    order_id: orderId,
    event_id: eventId,
    ...(ticketId && { ticket_id: ticketId }),
  };
  await stripeOf(app).refunds.create({ payment_intent: await paymentOf(app, eventId), amount: 24_00, metadata });
}

const request = ({ eventId, codes }: Sold, ticket: number) =>
  app.call(requestRefund, { eventId, confirmationCode: codes[ticket] ?? '' });
const refused = { status: 409, body: errorBody('refund.not-accepted') };

/** Reconciles the event's payment. */
async function reconcilePayment({ eventId }: Sold): Promise<void> {
  const reading = await app.deps.paymentProcessor.readPayment(await paymentOf(app, eventId));
  if (!reading?.order) throw new Error('the payment has no order');
  await applyRefunds(app.deps, reading.order, reading);
}

async function cancel(sold: Sold): Promise<void> {
  const { visitor, eventId } = sold;
  await logInAgain(sold);
  expect(await visitor.call(cancelEvent, { eventId })).toMatchObject({ status: 200 });
  await app.settle();
  for (let times = 1; times <= 2; times++) {
    await app.advance({ hours: 3 });
    await retryRefusedRefunds(app.deps);
    await sendWaitingRefunds(app.deps);
    await app.settle();
  }
}

async function refundedAmounts({ eventId }: Sold): Promise<number[]> {
  const refunds = await stripeOf(app).refunds.list({ payment_intent: await paymentOf(app, eventId), limit: 100 });
  return refunds.data.map(({ amount }) => amount);
}

async function statesOf({ eventId, tickets }: Sold): Promise<(string | undefined)[]> {
  const rows = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select(['id', 'state']).execute();
  return tickets.map((ticket) => rows.find(({ id }) => id === ticket)?.state);
}

async function untilFaultIsUsed(): Promise<void> {
  const isPlanned = async () => (await fetch(`${app.sandboxUrl}/_sandbox/faults`)).text();
  await until('the call is under way', async () => !(await isPlanned()).includes('slow'));
}

describe('an orphaned refund of one ticket', () => {
  it('is recorded by reconciliation, and other tickets refund as usual', async () => {
    const sold = await soldTickets();
    await createOrphanedRefund(sold, sold.tickets[0]);
    await Promise.all([reconcilePayment(sold), reconcilePayment(sold)]);
    expect(await statesOf(sold)).toEqual(['refunded', 'valid', 'valid']);

    expect(await request(sold, 0)).toMatchObject({ status: 409 });
    expect(await request(sold, 1)).toMatchObject({ status: 200 });
    expect(await request(sold, 2)).toMatchObject({ status: 200 });

    expect(await refundedAmounts(sold)).toEqual([24_00, 24_00, 24_00]);
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'refunded']);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('does not block other refunds before reconciliation and is adopted by a request for its ticket', async () => {
    const sold = await soldTickets();
    await createOrphanedRefund(sold, sold.tickets[0]);

    expect(await request(sold, 1)).toMatchObject({ status: 200 });
    expect(await refundedAmounts(sold)).toHaveLength(2);
    expect(await request(sold, 0)).toMatchObject({ status: 200 });

    expect(await refundedAmounts(sold)).toHaveLength(2);
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'valid']);
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });

  it('is deducted when the event is cancelled before or after reconciliation', async () => {
    const [before, after] = [await soldTickets(), await soldTickets()];
    for (const sold of [before, after]) await createOrphanedRefund(sold, sold.tickets[1]);
    await reconcilePayment(before);
    for (const sold of [before, after]) await cancel(sold);

    for (const sold of [before, after]) {
      expect(await refundedAmounts(sold)).toEqual([24_00, 24_00, 24_00]);
      expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'refunded']);
    }
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('an orphaned refund without a known ticket', () => {
  it('denies refund requests, and a cancellation refunds the rest', async () => {
    const [nameless, renewed] = [await soldTickets(), await soldTickets()];
    await createOrphanedRefund(nameless);
    // An order that was open in the backup gets new ticket ids when it is completed again.
    await createOrphanedRefund(renewed, newId());
    for (const sold of [nameless, renewed]) {
      expect(await request(sold, 0)).toMatchObject(refused);
      await reconcilePayment(sold);
      expect(await request(sold, 1)).toMatchObject(refused);
      expect(await refundedAmounts(sold)).toEqual([24_00]);

      await cancel(sold);
      expect(await refundedAmounts(sold)).toEqual([24_00, 24_00, 24_00]);
    }
    expect(await moneyErrorsExceptWebhooks(app)).toEqual([]);
  });
});

describe('two concurrent refunds of one order', () => {
  it('are both accepted if one is claimed before the other reads the list and sent after it', async () => {
    const sold = await soldTickets();
    await planFault(app, { match: { method: 'GET', path: '/v1/refunds' }, mode: 'slow', ms: 4_000, times: 1 });
    const first = request(sold, 0);
    await untilFaultIsUsed();
    expect(await request(sold, 1)).toMatchObject({ status: 200 });

    expect(await first).toMatchObject({ status: 200 });
    expect(await statesOf(sold)).toEqual(['refunded', 'refunded', 'valid']);
    expect(await refundedAmounts(sold)).toHaveLength(2);
  });
});
