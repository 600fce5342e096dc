/** Reads both sides of a reconciliation: Stripe's balance transactions and our records. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { BalanceTransaction } from '#server/platform/ports/balance-transactions.ts';

/** Joins what each ledger entry `l` is about: an order, a refund or a dispute with its order, a payout, or a transfer reversal with its payout. */
export const subjectsOfEntries = sql`left join orders o on o.event_id = l.event_id and o.id = l.subject_id
  left join refunds r on r.event_id = l.event_id and r.id = l.subject_id
  left join orders ro on ro.event_id = r.event_id and ro.id = r.order_id
  left join disputes d on d.event_id = l.event_id and d.id = l.subject_id
  left join orders d_o on d_o.event_id = d.event_id and d_o.id = d.order_id
  left join payouts p on p.event_id = l.event_id and p.id = l.subject_id
  left join transfer_reversals c on c.event_id = l.event_id and c.id = l.subject_id
  left join payouts cp on cp.event_id = c.event_id and cp.id = c.payout_id`;

export async function ordersNamed(db: Db, orders: readonly { eventId: string; orderId: string }[]) {
  const { rows } = await sql<{ orderId: string; isSettled: boolean; hasFee: boolean }>`
    select o.id as order_id,
           o.state in ('paid', 'unfulfillable', 'needs-review') as is_settled,
           o.total_cents = 0 or exists (
             select from ledger_entries l
              where l.event_id = o.event_id and l.subject_id = o.id and l.kind = 'card-fee') as has_fee
      from unnest(${orders.map((order) => order.eventId)}::text[], ${orders.map((order) => order.orderId)}::uuid[])
             as named (event_id, order_id)
      join orders o on o.event_id = named.event_id and o.id = named.order_id`.execute(db);
  return rows;
}

export async function refundsOfPayments(db: Db, paymentIds: readonly string[]) {
  const { rows } = await sql<{ stripeRefundId: string; state: string; isMoved: boolean; isSettled: boolean }>`
    select r.stripe_refund_id, r.state, r.moved_at is not null as is_moved, r.settled_at is not null as is_settled
      from orders o
      join refunds r on r.event_id = o.event_id and r.order_id = o.id
     where o.payment_id = any(${[...paymentIds]}::text[]) and r.stripe_refund_id is not null`.execute(db);
  return rows;
}

export async function disputesOfPayments(db: Db, paymentIds: readonly string[]) {
  const { rows } = await sql<{ stripeDisputeId: string; state: string }>`
    select d.stripe_dispute_id, d.state
      from orders o
      join disputes d on d.event_id = o.event_id and d.order_id = o.id
     where o.payment_id = any(${[...paymentIds]}::text[])`.execute(db);
  return rows;
}

/** Ours that the bank hasn't decided, as far as we know. */
export async function openDisputes(db: Db) {
  const { rows } = await sql<{ paymentId: string; subject: string; seen: string }>`
    select o.payment_id, d.stripe_dispute_id as subject, d.state as seen
      from disputes d
      join orders o on o.event_id = d.event_id and o.id = d.order_id
     where d.state in ('open', 'inquiry') and o.payment_id is not null
     order by d.opened_at`.execute(db);
  return rows;
}

/** Balance transactions never change at Stripe. The upsert corrects rows that were assigned to the wrong subject. */
export async function saveMovements(db: Db, movements: readonly BalanceTransaction[]): Promise<void> {
  if (movements.length === 0) return;
  await db
    .insertInto('balanceTransactions')
    .values(movements.map(({ movementId: id, at: createdAt, ...movement }) => ({ id, createdAt, ...movement })))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((excluded) => ({
        type: excluded.ref('excluded.type'),
        paymentId: excluded.ref('excluded.paymentId'),
        transferId: excluded.ref('excluded.transferId'),
        netCents: excluded.ref('excluded.netCents'),
      })),
    )
    .execute();
}

/** `unreadFrom`: end of the last complete run, or the first order; null if there is neither. */
export async function unreadMovements(db: Db): Promise<{ unreadFrom: Date | null; now: Date }> {
  const { rows } = await sql<{ unreadFrom: Date | null; now: Date }>`
    select coalesce((select until from balance_transaction_cursor), (select min(created_at) from orders)) as unread_from,
           business_now() as now`.execute(db);
  return rows[0] ?? { unreadFrom: null, now: new Date() };
}

export async function markReadUntil(db: Db, until: Date): Promise<void> {
  await db
    .insertInto('balanceTransactionCursor')
    .values({ until, finishedAt: until })
    .onConflict((conflict) => conflict.column('isTheOnlyRow').doUpdateSet({ until, finishedAt: until }))
    .execute();
}

export interface Comparison {
  subject: string;
  isTransfer: boolean;
  /** Null if it belongs to none of our orders and payouts. */
  eventId: string | null;
  movedCents: number;
  bookedCents: number;
  /** A movement is so recent that the other side may not have it yet. */
  isFresh: boolean;
}

/** Payments and transfers with movements since then or an open discrepancy. Expensive: called once a run. */
export async function touchedSince(db: Db, since: Date): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select payment_id as subject from balance_transactions where created_at >= ${since} and payment_id is not null
    union
    select transfer_id from balance_transactions where created_at >= ${since} and transfer_id is not null
    union
    select subject from discrepancies where resolved_at is null
       and kind in ('payment', 'transfer', 'unknown-payment', 'unknown-transfer')
    union
    select coalesce(o.payment_id, ro.payment_id, d_o.payment_id, p.transfer_id, cp.transfer_id)
      from ledger_entries l
      ${subjectsOfEntries}
     where l.account = 'processor' and l.created_at >= ${since}
       and coalesce(o.payment_id, ro.payment_id, d_o.payment_id, p.transfer_id, cp.transfer_id) is not null`.execute(
    db,
  );
  return rows.map(({ subject }) => subject);
}

export async function compareBalances(db: Db, subjects: readonly string[]): Promise<Comparison[]> {
  const { rows } = await sql<Comparison>`
    select t.subject, coalesce(o.event_id, p.event_id) as event_id,
           p.id is not null or moved.is_transfer as is_transfer,
           moved.cents as moved_cents, booked.cents as booked_cents,
           greatest(moved.newest, booked.newest) > business_now() - interval '15 minutes' as is_fresh
      from unnest(${[...subjects]}::text[]) as t (subject)
      left join orders o on o.payment_id = t.subject
      left join payouts p on p.transfer_id = t.subject
      cross join lateral (
        select coalesce(sum(net_cents), 0)::int8 as cents, max(created_at) as newest,
               coalesce(bool_or(transfer_id is not null), false) as is_transfer
          from balance_transactions m where m.payment_id = t.subject or m.transfer_id = t.subject
      ) moved
      cross join lateral (
        select coalesce(sum(l.cents), 0)::int8 as cents, max(l.created_at) as newest
          from ledger_entries l
         where l.account = 'processor' and l.event_id = coalesce(o.event_id, p.event_id)
           and l.subject_id in (
             select o.id
             union all select p.id
             union all select r.id from refunds r where r.event_id = o.event_id and r.order_id = o.id
             union all select d.id from disputes d where d.event_id = o.event_id and d.order_id = o.id
             union all select c.id from transfer_reversals c where c.event_id = p.event_id and c.payout_id = p.id)
      ) booked
     order by t.subject`.execute(db);
  return rows;
}

/** Total of Stripe's movements for our payments and transfers, minus the ledger's total. */
export async function totalDiscrepancyCents(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select (select coalesce(sum(net_cents), 0) from balance_transactions
             where payment_id is not null or transfer_id is not null)::int8
         - (select coalesce(sum(cents), 0) from ledger_entries where account = 'processor')::int8 as cents`.execute(db);
  return rows[0]?.cents ?? 0;
}
