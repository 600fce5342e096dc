/** Rows as left by a crash, a bank or Stripe: planted as action items for the operator. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { Schema } from '#server/platform/schema.ts';
import { soldOrder } from './sold-order.ts';

export interface Planted {
  eventId: string;
  orderId: string;
  at: Date;
}

/** An order of two tickets for an event of this organizer. */
export async function plantOrder(db: Db, organizerEmail: string, at: Date, buyerEmail?: string): Promise<Planted> {
  const ticketNames = ['General admission', 'General admission'];
  const order = await soldOrder(db, { organizerEmail, ticketNames, ...(buyerEmail ? { buyerEmail } : {}) });
  return { eventId: order.eventId, orderId: order.orderId, at };
}

export async function plantRefund(
  db: Db,
  { eventId, orderId, at }: Planted,
  refund: { state: Schema['refunds']['state']['__select__'] } & Partial<{
    reason: Schema['refunds']['reason'];
    cents: number;
    failureReason: string;
    ticketId: string;
  }>,
): Promise<string> {
  const id = newId();
  const { cents = 100, state } = refund;
  const isSent = state === 'sent' || state === 'failed';
  const row = { eventId, id, orderId, cents, reason: 'unfulfillable-order' as const, createdAt: at, sendAfter: at };
  await db
    .insertInto('refunds')
    .values({
      ...row,
      ...(isSent && { stripeRefundId: `re_${id}`, sentAt: at }),
      ...(state === 'failed' && { failedAt: at }),
      ...refund,
    })
    .execute();
  if (state === 'failed') {
    const entries = { processor: cents, 'owed-to-buyers': -cents };
    await plantLedger(db, { eventId, subjectId: id, kind: 'refund-failed', at, entries });
  }
  return id;
}

/** Made in the Stripe dashboard, for a refund already owed to the buyer. */
export async function plantOutsideRefund(db: Db, planted: Planted, cents: number): Promise<void> {
  const subjectId = await plantRefund(db, planted, { state: 'sent', reason: 'external', cents });
  const { eventId, at } = planted;
  await db.updateTable('refunds').set({ movedAt: at, settledAt: at }).where('id', '=', subjectId).execute();
  const entries = { 'owed-to-buyers': cents, processor: -cents };
  await plantLedger(db, { eventId, subjectId, kind: 'external-refund', at, entries });
}

export async function plantPayout(
  db: Db,
  { eventId, at }: Planted,
  payout: { state: Schema['payouts']['state']['__select__'] } & Partial<{
    failureReason: string;
    cents: number;
    debtDeductedCents: number;
    seq: number;
  }>,
): Promise<string> {
  const { cents = 1000, debtDeductedCents = 0, seq = 1, ...rest } = payout;
  const id = newId();
  const isPaid = payout.state === 'paid';
  await sql`
    insert into payouts (event_id, id, seq, state, failure_reason, cents, statement, account_id, requested_at, paid_at, transfer_id)
    values (${eventId}, ${id}, ${seq}, ${rest.state}, ${rest.failureReason ?? null}, ${cents},
            ${JSON.stringify({ netCents: cents, debtDeductedCents })}::jsonb, 'acct_1', ${at},
            ${isPaid ? at : null}, ${isPaid ? `tr_${id}` : null})`.execute(db);
  await db.updateTable('events').set({ payoutRequestedAt: at }).where('id', '=', eventId).execute();
  return id;
}

export async function plantDispute(
  db: Db,
  { eventId, orderId, at }: Planted,
  state: 'open' | 'inquiry' | 'won' | 'lost' = 'open',
) {
  const id = newId();
  const dispute = { eventId, id, orderId, stripeDisputeId: `du_${id}`, cents: 4800, reason: 'fraudulent' };
  const closedAt = state === 'won' || state === 'lost' ? at : null;
  await db
    .insertInto('disputes')
    .values({ ...dispute, state, openedAt: at, closedAt })
    .execute();
  return id;
}

/** With ledger entries if it has become a debt. Its dispute is lost, unless the test says otherwise. */
export async function plantTransferReversal(
  db: Db,
  planted: Planted,
  {
    state,
    failureReason = null,
    dispute = state === 'receivable' ? 'lost' : 'open',
  }: { state: 'claimed' | 'receivable'; failureReason?: string | null; dispute?: 'open' | 'won' | 'lost' },
): Promise<string> {
  const { eventId, orderId, at } = planted;
  const payoutId = await plantPayout(db, planted, { state: 'paid' });
  const disputeId = await plantDispute(db, planted, dispute);
  const id = newId();
  const [grossCents, feesCents] = [4800, 246];
  const reversal = { eventId, id, orderId, disputeId, payoutId, grossCents, feesCents, state, failureReason };
  await db
    .insertInto('transferReversals')
    .values({
      ...reversal,
      refundId: null,
      stripeReversalId: null,
      createdAt: at,
      settledAt: state === 'claimed' ? null : at,
    })
    .execute();
  if (state === 'receivable') {
    const entries = {
      receivables: grossCents - feesCents,
      'platform-fees': feesCents,
      'organizer-payable': -grossCents,
    };
    await plantLedger(db, { eventId, subjectId: id, kind: 'transfer-reversal', at, entries });
  }
  return id;
}

export async function plantLedger(
  db: Db,
  entry: { eventId: string; subjectId: string; kind: string; at: Date; entries: Record<string, number> },
): Promise<void> {
  const transactionId = newId();
  const rows = Object.entries(entry.entries).map(
    ([account, cents]) =>
      sql`(${entry.eventId}, ${transactionId}, ${account}, ${cents}, ${entry.kind}, ${entry.subjectId}, ${entry.at})`,
  );
  await sql`insert into ledger_entries (event_id, transaction_id, account, cents, kind, subject_id, created_at)
            values ${sql.join(rows)}`.execute(db);
}

export async function plantWebhookEvent(db: Db, { eventId, orderId, at }: Planted): Promise<string> {
  const id = `evt_${newId()}`;
  await sql`insert into webhook_events (id, type, event_id, order_id, payload, received_at)
            values (${id}, 'charge.updated', ${eventId}, ${orderId}, '{}', ${at})`.execute(db);
  return id;
}
