/** Balances from the ledger. Positive amounts are owed to the organizer or the buyer. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/**
 * What an order's organizer and buyer are still owed, ignoring payouts. `owedCents` is the part of the buyer's balance
 * that no refund is about to pay.
 */
export async function balancesOfOrder(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  const { rows } = await sql<{ organizerCents: number; buyerCents: number; owedCents: number }>`
    with subjects as (
      select ${orderId}::uuid as id
      union all select id from refunds where event_id = ${eventId} and order_id = ${orderId}
      union all select id from disputes where event_id = ${eventId} and order_id = ${orderId}
    )
    select coalesce(-sum(l.cents) filter (where l.account = 'organizer-payable'), 0)::bigint as organizer_cents,
           coalesce(-sum(l.cents) filter (where l.account = 'owed-to-buyers'), 0)::bigint as buyer_cents,
           owed_to_buyer(${eventId}, ${orderId}::uuid) as owed_cents
      from ledger_entries l
      join subjects s on s.id = l.subject_id
     where l.event_id = ${eventId}`.execute(db);
  return rows[0] ?? { organizerCents: 0, buyerCents: 0, owedCents: 0 };
}

/** What the organizer is still owed for an event, and how much of its sales went to refunds and disputes. */
export async function balancesOfEvent(db: Db, eventId: string) {
  const { rows } = await sql<{ payableCents: number; goneCents: number }>`
    select coalesce(-sum(cents), 0)::bigint as payable_cents,
           coalesce(sum(cents) filter (where kind in ('refund', 'external-refund', 'dispute-lost')), 0)::bigint as gone_cents
      from ledger_entries
     where event_id = ${eventId} and account = 'organizer-payable'`.execute(db);
  return rows[0] ?? { payableCents: 0, goneCents: 0 };
}
