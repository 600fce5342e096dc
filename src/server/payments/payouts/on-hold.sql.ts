import { sql } from 'kysely';
import { isHeld } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';

/** Leaves the event's open disputes out of the payout. */
export async function markOnHold(db: Db, { eventId, payoutId }: { eventId: string; payoutId: string }) {
  await db
    .updateTable('disputes')
    .set({ excludedFrom: payoutId })
    .where('eventId', '=', eventId)
    .where('state', '=', 'open')
    .execute();
}

/** Leaves another dispute out of a payout that was already claimed. */
export async function putDisputeOnHold(
  db: Db,
  { eventId, disputeId, payoutId }: { eventId: string; disputeId: string; payoutId: string },
): Promise<void> {
  await db
    .updateTable('disputes')
    .set({ excludedFrom: payoutId })
    .where('eventId', '=', eventId)
    .where('id', '=', disputeId)
    .execute();
}

const disputesWithReversals = sql`disputes d
      left join transfer_reversals r on r.event_id = d.event_id and r.dispute_id = d.id`;

/**
 * Disputes whose money is due to the organizer again: won after a reversal, or closed after being left out of the payout.
 * A lost dispute over part of the payment still returns the rest. The order waits until all of its disputes are closed.
 */
const isDue = sql<boolean>`d.returned_by is null
       and ((d.excluded_from is not null and d.state in ('won', 'lost'))
            or (d.state = 'won' and r.state in ('reversed', 'receivable', 'from-reserve') and r.used_cents < r.gross_cents))
       and not exists (select 1 from disputes o
                        where o.event_id = d.event_id and o.order_id = d.order_id and o.state = 'open')`;

export async function disputesToReturn(db: Db, eventId: string) {
  const { rows } = await sql<{
    disputeId: string;
    orderId: string;
    isOnHold: boolean;
    reversedCents: number;
    reversedFeesCents: number;
  }>`
    select d.id as dispute_id, d.order_id, d.excluded_from is not null as is_on_hold,
           coalesce(r.gross_cents - r.used_cents, 0) as reversed_cents,
           -- Fees stay as long as a part of the price does.
           coalesce(least(r.fees_cents, r.gross_cents - r.used_cents), 0) as reversed_fees_cents
      from ${disputesWithReversals}
     where d.event_id = ${eventId} and ${isDue}
     order by d.id`.execute(db);
  return rows;
}

/** Disputes that left nothing to pay stay unreturned. */
const leavesMoney = sql<boolean>`(d.excluded_from is null
            or exists (select 1 from tickets t
                        where t.event_id = d.event_id and t.order_id = d.order_id
                          and counts_as_sold(t.state) and t.price_cents > 0))`;

export async function eventsToReturn(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ eventId: string }>`
    select d.event_id
      from ${disputesWithReversals}
     where ${isDue} and ${leavesMoney} and not ${isHeld(sql`d.event_id`)}
     group by d.event_id
     order by min(d.closed_at)
     limit ${limit}`.execute(db);
  return rows.map(({ eventId }) => eventId);
}

/** Held ones, too. */
export async function eventsToReturnOf(db: Db, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ eventId: string }>`
    select distinct d.event_id
      from ${disputesWithReversals}
      join events e on e.id = d.event_id
     where e.organization_id = ${organizationId} and ${isDue} and ${leavesMoney}`.execute(db);
  return rows.map(({ eventId }) => eventId);
}

export async function markReturned(
  db: Db,
  { eventId, payoutId }: { eventId: string; payoutId: string },
  disputeIds: readonly string[],
): Promise<void> {
  await db
    .updateTable('disputes')
    .set({ returnedBy: payoutId })
    .where('eventId', '=', eventId)
    .where('id', 'in', disputeIds)
    .execute();
}
