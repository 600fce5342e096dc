import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Serializes suspending with creating events and paying out. Undefined for an unknown or deleted organization. */
export function lockToSuspend(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .where('erasedAt', 'is', null)
    .select(['id', 'suspendedAt', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export interface SuspensionColumns {
  suspendedAt: Date | null;
  suspendedBy: string | null;
  suspendReason: string | null;
}

export async function updateSuspension(db: Db, organizationId: string, columns: SuspensionColumns): Promise<void> {
  await db.updateTable('organizations').set(columns).where('id', '=', organizationId).execute();
}

export function findSuspension(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['suspendedAt', 'suspendReason'])
    .executeTakeFirst();
}

/** Since when each brake of the organization is on. */
export async function findBrakes(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations as o')
    .leftJoin('payoutAccounts as a', 'a.organizationId', 'o.id')
    .where('o.id', '=', organizationId)
    .select(['o.suspendedAt', 'a.salesStoppedAt as paidSalesStoppedAt'])
    .executeTakeFirstOrThrow();
}
