import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { requestPayout } from '#contract/app/payouts.ts';
import {
  clearFaults,
  ledgerOf,
  openPayout,
  paymentOf,
  planFault,
  simulateAtBank,
  stripeOf,
} from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from './reconcile.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await clearFaults(app);
});

const seats = (quantity: number) => [{ ticketName: 'General admission', quantity }];
const HOUR = 60 * 60 * 1000;

/** Runs reconciliation as the job does, some time later. */
async function reconcileLater(hours = 2) {
  await app.advance({ minutes: 20 });
  await reconcile(app.deps, new Date(app.now().getTime() - hours * HOUR));
  await app.settle();
}

async function withoutWebhooks<T>(work: () => Promise<T>): Promise<T> {
  await planFault(app, { webhook: 'drop', times: 1000 });
  const done = await work();
  await app.settle();
  await clearFaults(app);
  return done;
}

/** Pays while webhooks are dropped; the buyer never opens the confirmation page. */
async function payWithoutWebhooks(email: string, quantity = 1) {
  const event = await eventOnSale(app);
  const buyer = app.visitor();
  const session = await buyer.call(createCheckoutSession, { eventId: event.eventId, cartItems: seats(quantity) });
  await withoutWebhooks(() => pay(buyer, session.body.url, email));
  return { ...event, sessionId: session.body.id };
}

const openDiscrepancies = async () =>
  (
    await app.db
      .selectFrom('discrepancies')
      .where('resolvedAt', 'is', null)
      .select(['kind', 'subject', 'cents', 'eventId'])
      .orderBy('kind')
      .execute()
  ).map((row) => ({ ...row }));

const statesOf = async (eventId: string) =>
  (await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute()).map((t) => t.state);

describe('a lost webhook event', () => {
  it('of a sale is recovered: tickets are issued and emailed once', async () => {
    const { eventId } = await payWithoutWebhooks('lost@example.com', 2);

    await reconcileLater();
    await reconcileLater();

    expect(await statesOf(eventId)).toEqual(['valid', 'valid']);
    expect(await emailsTo(app, 'lost@example.com')).toHaveLength(1);
    expect(await ledgerOf(app, eventId)).toEqual([
      'card-fee card-fees 169',
      'card-fee processor -169',
      'sale organizer-payable -4800',
      'sale processor 4800',
    ]);
    expect(await openDiscrepancies()).toEqual([]);
  });

  it('of a sale is recovered days after the reservation expired', async () => {
    const { eventId } = await payWithoutWebhooks('days@example.com');
    await app.db.updateTable('orders').set({ state: 'expired' }).where('eventId', '=', eventId).execute();
    await app.db.updateTable('ticketTypes').set({ reserved: 0 }).where('eventId', '=', eventId).execute();
    await app.advance({ days: 6 });

    // The last complete run was before the sale, so this one looks back to it.
    await reconcileLater(2);

    expect((await statesOf(eventId)).length + (await refundsOf(eventId)).length).toBe(1);
  });

  it('of a Stripe dashboard refund is recovered: recorded as external, tickets void', async () => {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, seats(1), 'outside@example.com');
    await app.settle();
    const payment = await paymentOf(app, eventId);
    await withoutWebhooks(() => stripeOf(app).refunds.create({ payment_intent: payment }));
    expect(await statesOf(eventId)).toEqual(['valid']);

    await reconcileLater();
    await reconcileLater();

    expect(await statesOf(eventId)).toEqual(['void']);
    expect(await refundsOf(eventId)).toMatchObject([{ reason: 'external', state: 'sent', cents: 24_00 }]);
    expect(await openDiscrepancies()).toEqual([]);
  });

  it('of a dispute is recovered: tickets flagged, money on hold in the ledger', async () => {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, seats(1), 'bank@example.com');
    await app.settle();
    const payment = await paymentOf(app, eventId);
    await withoutWebhooks(() => simulateAtBank(app, 'disputes', { payment_intent: payment }));

    await reconcileLater();

    expect(await disputesOf(eventId)).toEqual([{ state: 'open' }]);
    expect((await ledgerOf(app, eventId, 'dispute-opened')).length).toBeGreaterThan(0);
    await reconcileLater();
    expect(await openDiscrepancies()).toEqual([]);
  });

  it('of a decision is recovered, however long ago the dispute began', async () => {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, seats(1), 'slow-bank@example.com');
    await app.settle();
    const dispute = await simulateAtBank(app, 'disputes', { payment_intent: await paymentOf(app, eventId) });
    await app.settle();
    await app.advance({ days: 60 });
    // Looks back to the last complete run at least.
    await reconcileLater();
    await withoutWebhooks(() => simulateAtBank(app, `disputes/${dispute.id}`, { become: 'lost' }));
    expect(await disputesOf(eventId)).toEqual([{ state: 'open' }]);

    await reconcileLater();

    expect(await disputesOf(eventId)).toEqual([{ state: 'lost' }]);
    expect(await statesOf(eventId)).toEqual(['void']);
  });

  it('is searched without reading known payments again', async () => {
    const { eventId } = await eventOnSale(app);
    for (const buyer of ['a', 'b']) await buyTickets(app, eventId, seats(1), `known-${buyer}@example.com`);
    await app.settle();
    const payment = await paymentOf(app, eventId);
    await stripeOf(app).refunds.create({ payment_intent: payment, amount: 5_00 });
    await app.settle();
    await reconcileLater();
    const payments = vi.spyOn(app.deps.paymentProcessor, 'readPayment');
    const sessions = vi.spyOn(app.deps.paymentProcessor, 'readCheckout');

    await reconcile(app.deps, new Date(0));

    expect(await refundsOf(eventId)).toHaveLength(1);
    expect(payments).not.toHaveBeenCalledWith(payment);
    expect(sessions).not.toHaveBeenCalled();
  });

  const disputesOf = (eventId: string) =>
    app.db.selectFrom('disputes').where('eventId', '=', eventId).select('state').execute();

  const refundsOf = (eventId: string) =>
    app.db.selectFrom('refunds').where('eventId', '=', eventId).select(['reason', 'state', 'cents']).execute();
});

describe('a discrepancy', () => {
  it('is recorded for the operator and resolved once both sides agree', async () => {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, seats(1), 'differs@example.com');
    await app.settle();
    const paymentId = await paymentOf(app, eventId);
    // Stripe withdraws a dollar without a webhook.
    await movement('txn_odd', { paymentId, netCents: -1_00 });

    await reconcileLater();
    expect(await openDiscrepancies()).toEqual([
      {
        kind: 'balance',
        subject: 'all movements',
        cents: -1_00,
        eventId: null,
      },
      { kind: 'payment', subject: paymentId, cents: -1_00, eventId },
    ]);
    const before = await ledgerOf(app, eventId);
    await reconcileLater();
    expect(await openDiscrepancies()).toHaveLength(2);
    expect(await ledgerOf(app, eventId)).toEqual(before);

    await app.db.deleteFrom('balanceTransactions').where('id', '=', 'txn_odd').execute();
    await reconcileLater();
    expect(await openDiscrepancies()).toEqual([]);
    const all = await app.db.selectFrom('discrepancies').select(['kind', 'resolvedAt']).execute();
    expect(all.every(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
  });

  it('ignores recent movements, whose counterpart may still arrive', async () => {
    const { eventId } = await eventOnSale(app);
    await buyTickets(app, eventId, seats(1), 'fresh@example.com');
    await app.settle();
    const paymentId = await paymentOf(app, eventId);
    await movement('txn_fresh', { paymentId, netCents: -1_00 });

    await reconcile(app.deps, new Date(app.now().getTime() - 2 * HOUR));
    expect(await openDiscrepancies()).toEqual([]);

    await reconcileLater();
    expect(await openDiscrepancies()).toHaveLength(2);
    await app.db.deleteFrom('balanceTransactions').where('id', '=', 'txn_fresh').execute();
    await reconcileLater();
  });

  it('reports a transfer without a payout', async () => {
    await movement('txn_transfer', { transferId: 'tr_unknown', netCents: -50_00 });

    await reconcileLater();

    expect(await openDiscrepancies()).toMatchObject([
      { kind: 'balance', cents: -50_00 },
      { kind: 'unknown-transfer', subject: 'tr_unknown', cents: -50_00 },
    ]);
    await app.db.deleteFrom('balanceTransactions').where('id', '=', 'txn_transfer').execute();
    await reconcileLater();
    expect(await openDiscrepancies()).toEqual([]);
  });

  it('does not arise from a sale, a payout or a transfer to the platform’s own bank', async () => {
    const event = await eventOnSale(app);
    for (const buyer of [1, 2]) await buyTickets(app, event.eventId, seats(5), `whole-${buyer}@example.com`);
    await openPayout(app, event);
    const payout = await event.visitor.call(requestPayout, { eventId: event.eventId });
    expect(payout.status).toBe(200);
    await app.settle();
    // Not ours: a payout to the platform's own bank.
    await movement('txn_bank', { netCents: -10_00 });

    await reconcileLater(24 * 4);

    expect(await openDiscrepancies()).toEqual([]);
    const { rows } = await sql<{ kinds: string[] }>`
      select array_agg(distinct type order by type) as kinds from balance_transactions`.execute(app.db);
    expect(rows[0]?.kinds).toEqual(expect.arrayContaining(['charge', 'transfer']));
  });

  /** A balance transaction that Stripe's list doesn't have. */
  async function movement(
    id: string,
    {
      paymentId = null,
      transferId = null,
      netCents,
    }: { paymentId?: string | null; transferId?: string | null; netCents: number },
  ) {
    const createdAt = app.now();
    await app.db
      .insertInto('balanceTransactions')
      .values({ id, type: 'adjustment', paymentId, transferId, netCents, createdAt })
      .execute();
  }
});
