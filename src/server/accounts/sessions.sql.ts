/** Sessions, and the logins that wait for a second factor. */
import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Acts for the organization that the user worked for last. */
export async function addSession(db: Db, session: Omit<Insertable<Schema['sessions']>, 'organizationId'>) {
  const last = db
    .selectFrom('memberships')
    .where('userId', '=', session.userId)
    .select('organizationId')
    .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
    .orderBy('joinedAt')
    .limit(1);
  await db
    .insertInto('sessions')
    .values({ ...session, organizationId: last })
    .execute();
  await touchMembership(db, session.id, session.createdAt);
}

/** The user is a member of the organization. */
export async function setOrganization(db: Db, sessionId: string, organizationId: string, at: Date) {
  await db.updateTable('sessions').set({ organizationId }).where('id', '=', sessionId).execute();
  await touchMembership(db, sessionId, at);
}

/** Removes the user's expired sessions, and the oldest ones beyond `count`. */
export async function pruneSessions(db: Db, userId: string, count: number, now: Date) {
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
    .innerJoin('organizations', 'organizations.id', 'sessions.organizationId')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.organizationId', '=', 'sessions.organizationId')
        .onRef('memberships.userId', '=', 'sessions.userId'),
    )
    .leftJoin('organizations as viewed', 'viewed.id', 'sessions.actingAs')
    .where('sessions.id', '=', sessionId)
    .select([
      'sessions.id as sessionId',
      'sessions.bindingHash',
      'sessions.lastSeenAt',
      'sessions.reauthenticatedAt',
      'sessions.expiresAt',
      'sessions.actingUntil',
      'viewed.id as viewedId',
      'viewed.name as viewedName',
      'users.id as userId',
      'users.email',
      'users.emailVerifiedAt',
      'users.isAdmin',
      'memberships.role',
      'memberships.onlyEventIds',
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'organizations.requiresFactor',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('userFactors')
          .whereRef('userFactors.userId', '=', 'users.id')
          .where('confirmedAt', 'is not', null)
          .select('userFactors.id'),
      ).as('hasFactor'),
    )
    .executeTakeFirst();
}

export async function touchSession(db: Db, sessionId: string, at: Date) {
  await db.updateTable('sessions').set({ lastSeenAt: at }).where('id', '=', sessionId).execute();
  await touchMembership(db, sessionId, at);
}

async function touchMembership(db: Db, sessionId: string, lastSeenAt: Date) {
  await db
    .updateTable('memberships')
    .from('sessions')
    .whereRef('memberships.organizationId', '=', 'sessions.organizationId')
    .whereRef('memberships.userId', '=', 'sessions.userId')
    .where('sessions.id', '=', sessionId)
    .set({ lastSeenAt })
    .execute();
}

export async function setReauthenticated(db: Db, sessionId: string, at: Date) {
  await db.updateTable('sessions').set({ reauthenticatedAt: at }).where('id', '=', sessionId).execute();
}

/** Unexpired, newest first. */
export function sessionsOf(db: Db, userId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .select(['id', 'browserLabel', 'createdAt', 'lastSeenAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** False if the user has no such session. */
export async function removeSessionOf(db: Db, { userId, sessionId }: { userId: string; sessionId: string }) {
  const removed = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** Also ends logins that wait for a second factor. */
export async function removeOtherSessions(db: Db, { userId, sessionId }: { userId: string; sessionId: string }) {
  await db.deleteFrom('sessions').where('userId', '=', userId).where('id', '!=', sessionId).execute();
  await removeChallengesOf(db, userId);
}

/** Also ends logins that wait for a second factor. */
export async function removeUserSessions(db: Db, userId: string) {
  await db.deleteFrom('sessions').where('userId', '=', userId).execute();
  await removeChallengesOf(db, userId);
}

async function removeChallengesOf(db: Db, userId: string) {
  await db.deleteFrom('factorChallenges').where('userId', '=', userId).execute();
}

export async function sweepSessions(db: Db, now: Date) {
  await db.deleteFrom('sessions').where('expiresAt', '<=', now).execute();
}

export async function removeSession(db: Db, sessionId: string) {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** The API keys that a person made, in one organization or in all. They stay ended if the person comes back. */
export async function endKeysOf(
  tx: Db,
  { userId, organizationId }: { userId: string; organizationId?: string },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('createdBy', '=', userId)
    .$if(organizationId !== undefined, (keys) => keys.where('organizationId', '=', organizationId ?? ''))
    .where('revokedAt', 'is', null)
    .execute();
}
