import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/database.ts';
import type { Schema } from '#server/schema.ts';

const sameEmail = (email: string) => sql<boolean>`lower(email) = lower(${email})`;

/** False when the address is taken: the unique index decides, also between two sign-ups at once. */
export async function addUser(db: Db, user: { id: string; email: string; passwordHash: string; createdAt: Date }) {
  const added = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

export function findCredentials(db: Db, email: string) {
  return db.selectFrom('users').where(sameEmail(email)).select(['id', 'passwordHash', 'isAdmin']).executeTakeFirst();
}

export async function addSession(db: Db, session: Insertable<Schema['sessions']>) {
  await db.insertInto('sessions').values(session).execute();
}

/** Removes the user's expired sessions, and the oldest ones beyond `count`. */
export async function keepNewestSessions(db: Db, userId: string, count: number, now: Date) {
  await sql`
    delete from sessions
     where user_id = ${userId}
       and (expires_at <= ${now}
            or id not in (select id from sessions where user_id = ${userId} order by created_at desc, id desc limit ${count}))`.execute(
    db,
  );
}

export function findSession(db: Db, sessionId: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .where('sessions.id', '=', sessionId)
    .select([
      'sessions.id as sessionId',
      'sessions.bindingHash',
      'sessions.lastSeenAt',
      'sessions.expiresAt',
      'users.id as userId',
      'users.email',
      'users.emailVerifiedAt',
      'users.isAdmin',
      'users.organizationName',
    ])
    .executeTakeFirst();
}

export async function touchSession(db: Db, sessionId: string, at: Date) {
  await db.updateTable('sessions').set({ lastSeenAt: at }).where('id', '=', sessionId).execute();
}

export async function removeSession(db: Db, sessionId: string) {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

export async function addEmailLink(db: Db, link: Insertable<Schema['emailLinks']>) {
  await db.insertInto('emailLinks').values(link).execute();
}

/** The living link of this secret; its first use is remembered, later ones find it too. */
export function markLinkUsed(db: Db, tokenHash: Buffer, at: Date) {
  return db
    .updateTable('emailLinks')
    .set({ usedAt: sql<Date>`coalesce(used_at, ${at})` })
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', 'verify-email')
    .where('expiresAt', '>', at)
    .returning(['userId', 'email'])
    .executeTakeFirst();
}

/** False when the address is no longer the one that the link was mailed to. */
export async function markEmailVerified(db: Db, userId: string, email: string, at: Date) {
  const user = await db
    .updateTable('users')
    .set({ emailVerifiedAt: sql<Date>`coalesce(email_verified_at, ${at})` })
    .where('id', '=', userId)
    .where(sameEmail(email))
    .returning('id')
    .executeTakeFirst();
  return user !== undefined;
}

export async function removeExpiredLinks(db: Db, userId: string, now: Date) {
  await db.deleteFrom('emailLinks').where('userId', '=', userId).where('expiresAt', '<=', now).execute();
}

type SavedAccount = Pick<
  Schema['users'],
  | 'firstName'
  | 'lastName'
  | 'dateOfBirth'
  | 'phoneNumber'
  | 'organizationName'
  | 'organizationBio'
  | 'organizationType'
  | 'taxIdSealed'
  | 'taxIdLast4'
>;

export async function saveAccountInformation(db: Db, userId: string, account: SavedAccount) {
  await db.updateTable('users').set(account).where('id', '=', userId).execute();
}

/** The sealed tax id is never read here: nothing in the product opens it. */
export function findAccountInformation(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .select([
      'firstName',
      'lastName',
      'dateOfBirth',
      'phoneNumber',
      'organizationName',
      'organizationBio',
      'organizationType',
      'taxIdLast4',
      'tokenCount',
    ])
    .executeTakeFirstOrThrow();
}

export type AccountInformation = Awaited<ReturnType<typeof findAccountInformation>>;
