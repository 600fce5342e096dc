import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/**
 * What an organizer owes us over all their events, less what payouts on their way keep of it. One statement: a payout
 * that is recorded meanwhile leaves the second sum as it enters the first, and two looks could miss it in both.
 */
export async function unkeptDebt(db: Db, organizerId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ((select coalesce(sum(l.cents), 0)
               from ledger_entries l
               join events e on e.id = l.event_id
              where e.organizer_id = ${organizerId} and l.account = 'receivables')
            - (select coalesce(sum((p.statement ->> 'keptForDebtCents')::bigint), 0)
                 from payouts p
                 join events e on e.id = p.event_id
                where e.organizer_id = ${organizerId} and p.state <> 'paid'))::bigint as cents`.execute(db);
  return rows[0]?.cents ?? 0;
}
