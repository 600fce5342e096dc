import { type Insertable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

type Factor = Schema['userFactors'];
type Challenge = Schema['factorChallenges'];

/** Oldest first. */
export function factorsOf(db: Db, userId: string) {
  return db
    .selectFrom('userFactors')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is not', null)
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function addFactor(
  db: Db,
  factor: Pick<Factor, 'id' | 'userId' | 'kind' | 'name' | 'createdAt'> & Partial<Insertable<Factor>>,
): Promise<void> {
  await db.insertInto('userFactors').values(factor).execute();
}

/** The app that waits for its first code. */
export function findUnconfirmedApp(db: Db, userId: string) {
  return db
    .selectFrom('userFactors')
    .where('userId', '=', userId)
    .where('confirmedAt', 'is', null)
    .selectAll()
    .executeTakeFirst();
}

export async function removeUnconfirmedApps(db: Db, userId: string) {
  await db.deleteFrom('userFactors').where('userId', '=', userId).where('confirmedAt', 'is', null).execute();
}

export async function removeConfirmedApp(db: Db, userId: string) {
  await db
    .deleteFrom('userFactors')
    .where('userId', '=', userId)
    .where('kind', '=', 'totp')
    .where('confirmedAt', 'is not', null)
    .execute();
}

export async function confirmApp(db: Db, id: string, { step, at }: { step: number; at: Date }) {
  await db.updateTable('userFactors').set({ confirmedAt: at, lastStep: step }).where('id', '=', id).execute();
}

/** False if this code or a later one was used before. */
export async function useStep(db: Db, id: string, { step, at }: { step: number; at: Date }): Promise<boolean> {
  const used = await db
    .updateTable('userFactors')
    .set({ lastStep: step, lastUsedAt: at })
    .where('id', '=', id)
    .where('lastStep', '<', step)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('userFactors')
    .innerJoin('users', 'users.id', 'userFactors.userId')
    .where('credentialId', '=', credentialId)
    .where('users.erasedAt', 'is', null)
    .selectAll('userFactors')
    .executeTakeFirst();
}

export async function markPasskeyUsed(
  db: Db,
  id: string,
  { signCount, host, at }: { signCount: number; host: string; at: Date },
) {
  await db.updateTable('userFactors').set({ signCount, host, lastUsedAt: at }).where('id', '=', id).execute();
}

export async function removeFactor(db: Db, { userId, id }: { userId: string; id: string }) {
  await db.deleteFrom('userFactors').where('id', '=', id).where('userId', '=', userId).execute();
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  { hashes, createdAt }: { hashes: readonly Buffer[]; createdAt: Date },
) {
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await db
    .insertInto('recoveryCodes')
    .values(hashes.map((codeHash) => ({ userId, codeHash, createdAt })))
    .execute();
}

/** False if there is no such code any more. Deleting it decides between concurrent logins. */
export async function useRecoveryCode(db: Db, userId: string, codeHash: Buffer): Promise<boolean> {
  const used = await db
    .deleteFrom('recoveryCodes')
    .where('userId', '=', userId)
    .where('codeHash', '=', codeHash)
    .returning('userId')
    .executeTakeFirst();
  return used !== undefined;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recoveryCodes')
    .where('userId', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function addChallenge(db: Db, challenge: Insertable<Challenge>) {
  await db.insertInto('factorChallenges').values(challenge).execute();
}

export function findChallenge(db: Db, { id, purpose, now }: Pick<Challenge, 'id' | 'purpose'> & { now: Date }) {
  return db
    .selectFrom('factorChallenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expiresAt', '>', now)
    .selectAll()
    .executeTakeFirst();
}

/** False if it was used before, or ended by a new password. */
export async function endChallenge(db: Db, id: string): Promise<boolean> {
  const ended = await db.deleteFrom('factorChallenges').where('id', '=', id).returning('id').executeTakeFirst();
  return ended !== undefined;
}
