import { type Insertable } from 'kysely';
import type { AccountStanding } from '#domain/accounts/payout-account.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Claims the organization's only account. Keeps an existing claim. */
export async function claimPayoutAccount(db: Db, claim: Insertable<Schema['payoutAccounts']>) {
  await db
    .insertInto('payoutAccounts')
    .values(claim)
    .onConflict((conflict) => conflict.column('organizationId').doNothing())
    .execute();
}

export function findPayoutAccount(db: Db, organizationId: string) {
  return db
    .selectFrom('payoutAccounts')
    .where('organizationId', '=', organizationId)
    .select([
      'organizationId',
      'email',
      'organizationName',
      'organizationType',
      'accountId',
      'isActive',
      'confirmedAt',
      'requestsPayouts',
      'readAt',
    ])
    .executeTakeFirst();
}

export function findPayoutAccountById(db: Db, accountId: string) {
  return db
    .selectFrom('payoutAccounts')
    .where('accountId', '=', accountId)
    .select(['organizationId', 'isActive'])
    .executeTakeFirst();
}

/** Of the organizations that the user owns: payouts wait until an owner confirms the account. */
export async function suspectPayoutAccounts(db: Db, userId: string) {
  await db
    .updateTable('payoutAccounts')
    .set({ confirmedAt: null })
    .where('organizationId', 'in', (query) =>
      query.selectFrom('memberships').select('organizationId').where('userId', '=', userId).where('role', '=', 'owner'),
    )
    .execute();
}

export async function setPayoutAccountConfirmed(db: Db, organizationId: string, at: Date) {
  await db
    .updateTable('payoutAccounts')
    .set({ confirmedAt: at })
    .where('organizationId', '=', organizationId)
    .execute();
}

export async function setRequestsPayouts(db: Db, organizationId: string, requestsPayouts: boolean) {
  await db
    .updateTable('payoutAccounts')
    .set({ requestsPayouts })
    .where('organizationId', '=', organizationId)
    .execute();
}

export async function recordPayoutAccount(db: Db, organizationId: string, accountId: string) {
  await db
    .updateTable('payoutAccounts')
    .set({ accountId })
    .where('organizationId', '=', organizationId)
    .where('accountId', 'is', null)
    .execute();
}

export async function releaseClaim(db: Db, organizationId: string) {
  await db
    .deleteFrom('payoutAccounts')
    .where('organizationId', '=', organizationId)
    .where('accountId', 'is', null)
    .execute();
}

export async function updateStanding(db: Db, organizationId: string, standing: AccountStanding, readAt: Date) {
  await db
    .updateTable('payoutAccounts')
    .set({ ...standing, readAt })
    .where('organizationId', '=', organizationId)
    .execute();
}

export function findStanding(db: Db, organizationId: string): Promise<AccountStanding | undefined> {
  return db
    .selectFrom('payoutAccounts')
    .where('organizationId', '=', organizationId)
    .select(['isActive', 'restrictedAt', 'closedAt', 'salesStoppedAt'])
    .executeTakeFirst();
}

/** Accounts that have been restricted since before this instant, and still sell. */
export async function accountsRestrictedBefore(db: Db, instant: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('payoutAccounts')
    .where('salesStoppedAt', 'is', null)
    .where('restrictedAt', '<=', instant)
    .select('accountId')
    .orderBy('readAt')
    .limit(limit)
    .execute();
  return rows.flatMap(({ accountId }) => accountId ?? []);
}
