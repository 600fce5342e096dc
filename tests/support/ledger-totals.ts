import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** What an event's tickets were sold for, and what went back of it, in cents. */
export async function ledgerTotals(db: Db, eventId: string): Promise<{ sold: number; reversed: number }> {
  const { rows } = await sql<{ sold: number; reversed: number }>`
    select coalesce(-sum(cents) filter (where kind = 'sale'), 0)::bigint as sold,
           coalesce(sum(cents) filter (where kind in ('refund', 'external-refund', 'dispute-lost')), 0)::bigint as reversed
      from ledger_entries where event_id = ${eventId} and account = 'organizer-payable'`.execute(db);
  return rows[0] ?? { sold: 0, reversed: 0 };
}
