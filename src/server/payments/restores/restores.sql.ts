/** Restores of the database from a backup. Until one is reconciled with Stripe, no money leaves: Stripe may have sent it before. */
import { sql } from 'kysely';
import type { DiscrepancyKind } from '#domain/discrepancy.ts';
import type { Db } from '#server/platform/database.ts';

/** Stripe lists what happened with a delay, and the comparison leaves out what is this recent. */
const RECENT_MINUTES = 15;

/** What a restored database lacks, or has and Stripe doesn't. */
const MONEY: readonly DiscrepancyKind[] = [
  'unknown-order',
  'unknown-payment',
  'unknown-transfer',
  'payment',
  'transfer',
  'balance',
];

export async function openRestore(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('restores').where('reconciledAt', 'is', null).select('restoredAt').executeTakeFirst();
  return row?.restoredAt ?? null;
}

export async function markRestored(db: Db): Promise<void> {
  await sql`select mark_restored()`.execute(db);
}

/** Whether there was an open one. */
export async function endRestore(db: Db): Promise<boolean> {
  const ended = await db
    .updateTable('restores')
    .set({ reconciledAt: sql<Date>`business_now()` })
    .where('reconciledAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** After a complete run of the reconciliation that began then. False if it is too early, or something still differs. */
export async function endReconciledRestore(db: Db, runBeganAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update restores
       set reconciled_at = business_now()
     where reconciled_at is null
       and restored_at + make_interval(mins => ${RECENT_MINUTES}) <= ${runBeganAt}
       and not exists (select from discrepancies where resolved_at is null and kind = any(${[...MONEY]}::text[]))
    returning id`.execute(db);
  return rows.length > 0;
}
