import { type Insertable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Claims the organizer's only account. Keeps an existing claim. */
export async function claimPayoutAccount(db: Db, claim: Insertable<Schema['payoutAccounts']>) {
  await db
    .insertInto('payoutAccounts')
    .values(claim)
    .onConflict((conflict) => conflict.column('userId').doNothing())
    .execute();
}

export function findPayoutAccount(db: Db, userId: string) {
  return db
    .selectFrom('payoutAccounts')
    .where('userId', '=', userId)
    .select(['userId', 'email', 'organizationName', 'organizationType', 'accountId', 'isActive', 'readAt'])
    .executeTakeFirst();
}

export function findPayoutAccountById(db: Db, accountId: string) {
  return db
    .selectFrom('payoutAccounts')
    .where('accountId', '=', accountId)
    .select(['userId', 'isActive'])
    .executeTakeFirst();
}

export async function recordPayoutAccount(db: Db, userId: string, accountId: string) {
  await db
    .updateTable('payoutAccounts')
    .set({ accountId })
    .where('userId', '=', userId)
    .where('accountId', 'is', null)
    .execute();
}

export async function releaseClaim(db: Db, userId: string) {
  await db.deleteFrom('payoutAccounts').where('userId', '=', userId).where('accountId', 'is', null).execute();
}

export async function recordPayoutStatus(db: Db, userId: string, isActive: boolean, at: Date) {
  await db.updateTable('payoutAccounts').set({ isActive, readAt: at }).where('userId', '=', userId).execute();
}
