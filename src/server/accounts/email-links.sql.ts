/** Emailed links, stored by the hash of their token. */
import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export type LinkPurpose = Schema['emailLinks']['purpose'];

export async function addEmailLink(db: Db, link: Insertable<Schema['emailLinks']>) {
  await db.insertInto('emailLinks').values(link).execute();
}

/** Unexpired links to an address that were created after `createdAfter`, newest first. */
export function linksTo(
  db: Db,
  {
    userId,
    purpose,
    email,
    now,
    createdAfter,
  }: { userId: string; purpose: LinkPurpose; email: string; now: Date; createdAfter: Date },
) {
  return db
    .selectFrom('emailLinks')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .where('expiresAt', '>', now)
    .where('createdAt', '>', createdAfter)
    .select(['id', 'tokenHash'])
    .orderBy('createdAt', 'desc')
    .execute();
}

export async function extendLink(db: Db, tokenHash: Buffer, expiresAt: Date) {
  await db.updateTable('emailLinks').set({ expiresAt }).where('tokenHash', '=', tokenHash).execute();
}

/** The owner of an unexpired link with one of these purposes. */
export async function findLinkUser(db: Db, tokenHash: Buffer, purposes: readonly LinkPurpose[], now: Date) {
  const link = await db
    .selectFrom('emailLinks')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expiresAt', '>', now)
    .select('userId')
    .executeTakeFirst();
  return link?.userId ?? null;
}

/** Locks an unexpired link until the transaction ends. */
export function lockLink(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('emailLinks')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .select(['tokenHash', 'purpose', 'email', 'usedAt', 'createdAt'])
    .forUpdate()
    .executeTakeFirst();
}

export async function markLinkUsed(db: Db, tokenHash: Buffer, at: Date) {
  await db
    .updateTable('emailLinks')
    .set({ usedAt: sql<Date>`coalesce(used_at, ${at})` })
    .where('tokenHash', '=', tokenHash)
    .execute();
}

/** Deletes a password reset link, so it works once. False when it is gone or expired. */
export async function consumeResetLink(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const deleted = await db
    .deleteFrom('emailLinks')
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', 'reset-password')
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst();
  return deleted !== undefined;
}

export async function removeLinks(db: Db, userId: string, purposes: readonly LinkPurpose[]) {
  await db.deleteFrom('emailLinks').where('userId', '=', userId).where('purpose', 'in', purposes).execute();
}

export async function removeLinksToOthers(db: Db, userId: string, purpose: LinkPurpose, email: string) {
  await db
    .deleteFrom('emailLinks')
    .where('userId', '=', userId)
    .where('purpose', '=', purpose)
    .where(sql<boolean>`lower(email) <> lower(${email})`)
    .execute();
}

export async function removeOtherLinks(db: Db, userId: string, tokenHash: Buffer) {
  await db.deleteFrom('emailLinks').where('userId', '=', userId).where('tokenHash', '!=', tokenHash).execute();
}

export async function extendUndoLinks(db: Db, userId: string, email: string, expiresAt: Date) {
  await db
    .updateTable('emailLinks')
    .set({ expiresAt })
    .where('userId', '=', userId)
    .where('purpose', '=', 'undo-email-change')
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .execute();
}

export async function removeExpiredLinks(db: Db, userId: string, now: Date) {
  await db.deleteFrom('emailLinks').where('userId', '=', userId).where('expiresAt', '<=', now).execute();
}

export async function sweepLinks(db: Db, now: Date) {
  await db.deleteFrom('emailLinks').where('expiresAt', '<=', now).execute();
}
