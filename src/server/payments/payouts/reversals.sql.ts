import { type Insertable, sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { keyInUse, nextKey } from '#server/platform/idempotency-keys.sql.ts';
import type { SettledStatement } from '#server/platform/schema/payments.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface ReversalRef {
  eventId: string;
  reversalId: string;
}

/**
 * The payout that paid an order: the first one, unless an additional payout covered it. `isOnHold`: the first payout
 * left it out and no additional payout has covered it. The fee rate is always that of the first payout.
 */
export async function payoutOfOrder(db: Db, { eventId, orderId }: OrderRef) {
  const { rows } = await sql<{ payoutId: string; isOnHold: boolean; statement: SettledStatement }>`
    select coalesce((select later.id from disputes d
                       join payouts later on later.event_id = d.event_id and later.id = d.returned_by
                      where d.event_id = ${eventId} and d.order_id = ${orderId}
                      order by later.seq desc limit 1), p.id) as payout_id,
           exists (select 1 from disputes d
                    where d.event_id = ${eventId} and d.order_id = ${orderId}
                      and d.excluded_from is not null and d.returned_by is null) as is_on_hold,
           p.statement
      from payouts p
     where p.event_id = ${eventId} and p.seq = 1`.execute(db);
  return rows[0];
}

/** Prices of the tickets that a payout may have paid, and the part that is already lost or claimed back. */
export async function sharesOfOrder(db: Db, { eventId, orderId }: OrderRef, causeId: string) {
  const tickets = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .where('state', 'in', ['valid', 'scanned', 'void'])
    .where('priceCents', '>', 0)
    .select('priceCents')
    .execute();
  const { rows } = await sql<{ cents: number }>`
    with causes as (
      select id, null::uuid as returned_by from refunds
       where event_id = ${eventId} and order_id = ${orderId} and reason = 'external' and state in ('sent', 'failed')
      union all
      select id, returned_by from disputes where event_id = ${eventId} and order_id = ${orderId}
    )
    select coalesce(sum(case when r.dispute_id is null then gone.cents when c.returned_by is null then r.gross_cents - r.used_cents else 0 end), 0)::int
             as cents
      from causes c
      left join transfer_reversals r on r.event_id = ${eventId} and c.id in (r.dispute_id, r.refund_id)
     cross join lateral (
       select coalesce(sum(cents), 0) as cents from ledger_entries
        where event_id = ${eventId} and subject_id = c.id and account = 'organizer-payable'
          and kind in ('external-refund', 'dispute-lost')) as gone
     where c.id <> ${causeId}`.execute(db);
  return { pricesCents: tickets.map(({ priceCents }) => priceCents), takenCents: rows[0]?.cents ?? 0 };
}

/** Takes up to `cents` of what the order's disputes reversed and may still return: of won ones first. */
export async function useReversals(db: Db, { eventId, orderId }: OrderRef, cents: number): Promise<void> {
  if (cents <= 0) return;
  await sql`
    with free as (
      select r.id, r.gross_cents - r.used_cents as cents,
             sum(r.gross_cents - r.used_cents) over (order by d.state <> 'won', r.id) as until
        from transfer_reversals r
        join disputes d on d.event_id = r.event_id and d.id = r.dispute_id and d.returned_by is null and d.state <> 'lost'
       where r.event_id = ${eventId} and r.order_id = ${orderId}
    )
    update transfer_reversals r
       set used_cents = r.used_cents + least(free.cents, ${cents} - (free.until - free.cents))
      from free
     where r.event_id = ${eventId} and r.id = free.id and free.cents > 0 and free.until - free.cents < ${cents}`.execute(
    db,
  );
}

/** Of what this dispute reversed: what paid nothing else. */
export async function unusedOf(
  db: Db,
  { eventId, disputeId }: { eventId: string; disputeId: string },
): Promise<number> {
  const reversal = await db
    .selectFrom('transferReversals')
    .where('eventId', '=', eventId)
    .where('disputeId', '=', disputeId)
    .select((column) => column('grossCents', '-', column.ref('usedCents')).as('cents'))
    .executeTakeFirst();
  return reversal?.cents ?? 0;
}

export async function insertReversal(db: Db, reversal: Insertable<Schema['transferReversals']>): Promise<void> {
  await db.insertInto('transferReversals').values(reversal).execute();
}

/**
 * Starts a claimed reversal and reads the transfer with its unreversed amount. Returns undefined if the reversal was
 * already made or its payout was not transferred yet.
 */
export async function startReversal(db: Db, { eventId, reversalId }: ReversalRef) {
  const { rows } = await sql<{
    grossCents: number;
    feesCents: number;
    reserveCents: number;
    attempt: number;
    transferId: string | null;
    unreversedCents: number;
    ageSeconds: number;
    /** Stripe may have received the call before. */
    isTried: boolean;
    failureReason: string | null;
    /** Stripe's id of the dispute or refund. */
    cause: string;
    payoutId: string;
  }>`
    update transfer_reversals r
       set attempted_at = business_now(), key_since = ${keyInUse('r')}
      from transfer_reversals was
      join payouts p on p.event_id = was.event_id and p.id = was.payout_id
      left join disputes d on d.event_id = was.event_id and d.id = was.dispute_id
      left join refunds x on x.event_id = was.event_id and x.id = was.refund_id
     where r.event_id = ${eventId} and r.id = ${reversalId} and r.state = 'claimed'
       and was.event_id = r.event_id and was.id = r.id and p.state = 'paid'
    returning r.gross_cents, r.fees_cents, r.reserve_cents, r.attempt, r.failure_reason, r.payout_id, p.transfer_id,
              coalesce(d.stripe_dispute_id, x.stripe_refund_id, r.id::text) as cause,
              (p.cents - coalesce((select sum(o.gross_cents - o.fees_cents - o.reserve_cents) from transfer_reversals o
                                    where o.event_id = p.event_id and o.payout_id = p.id and o.state = 'reversed'), 0))::bigint
                as unreversed_cents,
              was.attempted_at is not null as is_tried,
              extract(epoch from business_now() - r.created_at)::float8 as age_seconds`.execute(db);
  return rows[0];
}

/** Our ids and Stripe's ids of the reversals that our records know. */
export async function knownReversalsOf(db: Db, { eventId, payoutId }: { eventId: string; payoutId: string }) {
  const rows = await db
    .selectFrom('transferReversals')
    .where('eventId', '=', eventId)
    .where('payoutId', '=', payoutId)
    .select(['id', 'stripeReversalId'])
    .execute();
  return rows.flatMap(({ id, stripeReversalId }) => (stripeReversalId ? [id, stripeReversalId] : [id]));
}

/** Claimed reversals of paid payouts. Least recently tried first, so that failing ones don't block the others. */
export async function reversalsToSend(db: Db, limit: number): Promise<ReversalRef[]> {
  return db
    .selectFrom('transferReversals as r')
    .innerJoin('payouts as p', (join) => join.onRef('p.eventId', '=', 'r.eventId').onRef('p.id', '=', 'r.payoutId'))
    .where('r.state', '=', 'claimed')
    .where('p.state', '=', 'paid')
    .select(['r.eventId', 'r.id as reversalId'])
    .orderBy('r.attemptedAt', (order) => order.asc().nullsFirst())
    .orderBy('r.createdAt')
    .limit(limit)
    .execute();
}

export async function reversalsOfPayout(db: Db, { eventId, payoutId }: { eventId: string; payoutId: string }) {
  return db
    .selectFrom('transferReversals')
    .where('eventId', '=', eventId)
    .where('payoutId', '=', payoutId)
    .where('state', '=', 'claimed')
    .select('id as reversalId')
    .execute();
}

/**
 * Drops claimed reversals after a won dispute, if the payout is not paid yet. Runs under the event's lock, which recording
 * a payout takes as well. A reversal may also cover other disputes or dashboard refunds of the order, so it stays if there
 * are any. It also stays if it took something from what the payout held back: the won dispute pays all of it.
 */
export async function dropUnneededReversals(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`
    delete from transfer_reversals r
     using payouts p
     where r.event_id = ${eventId} and r.order_id = ${orderId} and r.state = 'claimed'
       and r.reserve_cents = 0 and p.event_id = r.event_id and p.id = r.payout_id and p.state <> 'paid'
       and not exists (select 1 from disputes d
                        where d.event_id = r.event_id and d.order_id = r.order_id and d.state in ('open', 'lost'))
       and not exists (select 1 from refunds x
                        where x.event_id = r.event_id and x.order_id = r.order_id and x.reason = 'external')`.execute(
    db,
  );
}

/** Only the first of concurrent calls gets the row. */
export async function settleReversal(
  db: Db,
  { eventId, reversalId }: ReversalRef,
  change: {
    state: 'reversed' | 'receivable' | 'from-reserve';
    stripeReversalId: string | null;
    failureReason: string | null;
  },
) {
  return db
    .updateTable('transferReversals')
    .set({ ...change, settledAt: sql<Date>`business_now()` })
    .where('eventId', '=', eventId)
    .where('id', '=', reversalId)
    .where('state', '=', 'claimed')
    .returning(['grossCents', 'feesCents', 'reserveCents', sql<Date>`business_now()`.as('at')])
    .executeTakeFirst();
}

/** After a final response the next call uses a new idempotency key; under the old one Stripe would repeat it. */
export async function recordReversalFailure(
  db: Db,
  { eventId, reversalId }: ReversalRef,
  { attempt, isFinal }: { attempt: number; isFinal: boolean },
  failureReason: string,
): Promise<void> {
  await db
    .updateTable('transferReversals')
    .set({ failureReason, ...(isFinal && nextKey) })
    .where('eventId', '=', eventId)
    .where('id', '=', reversalId)
    .where('attempt', '=', attempt)
    .where('state', '=', 'claimed')
    .execute();
}

/**
 * The payout whose transfer covers a reversal: the one that paid the order, unless what it held back was paid since and only
 * that transfer is large enough.
 */
export async function payoutToReverse(
  db: Db,
  { eventId, payoutId }: { eventId: string; payoutId: string },
  cents: number,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select p.id
      from payouts p
     where p.event_id = ${eventId} and (p.id = ${payoutId} or p.statement ? 'released')
       and p.cents - coalesce((select sum(o.gross_cents - o.fees_cents - o.reserve_cents) from transfer_reversals o
                                where o.event_id = p.event_id and o.payout_id = p.id
                                  and o.state in ('claimed', 'reversed')), 0) >= ${cents}
     order by p.id = ${payoutId} desc, p.seq
     limit 1`.execute(db);
  return rows[0]?.id ?? payoutId;
}

/** What the claimed reversals of an event will bring back to its balance. */
export async function claimedCents(db: Db, eventId: string): Promise<number> {
  const { cents } = await db
    .selectFrom('transferReversals')
    .where('eventId', '=', eventId)
    .where('state', '=', 'claimed')
    .select((column) =>
      column.fn
        .coalesce(column.fn.sum<number>(column('grossCents', '-', column.ref('reserveCents'))), sql<number>`0`)
        .as('cents'),
    )
    .executeTakeFirstOrThrow();
  return Number(cents);
}
