import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/**
 * What an organization owes us over all events, minus what unpaid payouts already deduct. One statement, because a payout
 * recorded between two queries would be missing from both sums.
 */
export async function unclaimedDebt(db: Db, organizationId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select ((select coalesce(sum(l.cents), 0)
               from ledger_entries l
               join events e on e.id = l.event_id
              where e.organization_id = ${organizationId} and l.account = 'receivables')
            - (select coalesce(sum((p.statement ->> 'debtDeductedCents')::bigint), 0)
                 from payouts p
                 join events e on e.id = p.event_id
                where e.organization_id = ${organizationId} and p.state <> 'paid'))::bigint as cents`.execute(db);
  return rows[0]?.cents ?? 0;
}
