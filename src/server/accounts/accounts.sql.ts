import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

const sameEmail = (email: string) => sql<boolean>`lower(email) = lower(${email})`;

/** False when the email is taken. The unique index also decides between concurrent sign-ups. */
export async function addUser(db: Db, user: { id: string; email: string; passwordHash: string; createdAt: Date }) {
  const added = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Serializes transactions that assign this email to an account. */
export async function lockEmail(db: Db, email: string) {
  await sql`select pg_advisory_xact_lock(${lockNamespaces.emailAddress}::int, hashtext(lower(${email})))`.execute(db);
}

/** An email is also taken while a previous owner can still undo the change away from it. */
export async function isEmailTaken(db: Db, email: string, { now, exceptBy }: { now: Date; exceptBy: string | null }) {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (select from users where lower(email) = lower(${email}) and id is distinct from ${exceptBy}::uuid)
        or exists (select from email_links
                    where purpose = 'undo-email-change' and lower(email) = lower(${email})
                      and expires_at > ${now} and user_id is distinct from ${exceptBy}::uuid) as is_taken`.execute(db);
  return rows[0]?.isTaken ?? false;
}

export function findCredentials(db: Db, email: string) {
  return db
    .selectFrom('users')
    .where(sameEmail(email))
    .where('erasedAt', 'is', null)
    .select(['id', 'email', 'passwordHash', 'isAdmin', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}

/** The names that a password must not repeat: the email address, and those of the person's organizations. */
export async function findNames(db: Db, userId: string): Promise<(string | null)[]> {
  const names = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(sql<string | null>`email`.as('name'))
    .unionAll(
      db
        .selectFrom('memberships as m')
        .innerJoin('organizations as o', 'o.id', 'm.organizationId')
        .where('m.userId', '=', userId)
        .select('o.name'),
    )
    .execute();
  return names.map(({ name }) => name);
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .select('passwordHash')
    .executeTakeFirst();
  return user?.passwordHash ?? null;
}

/** Serializes changes to a user's credentials until the transaction ends. Skips erased accounts. */
export function lockUser(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .select(['id', 'email', 'emailVerifiedAt'])
    .forUpdate()
    .executeTakeFirst();
}

/** As `lockUser`, for the second step of a login; its password hasn't been voided since. */
export function lockUserToLogIn(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('erasedAt', 'is', null)
    .where('passwordHash', 'is not', null)
    .select(['id', 'email', 'isAdmin'])
    .forUpdate()
    .executeTakeFirst();
}

/** Whether `passwordHash` is still current. Blocks a password change until the transaction ends. */
export async function isPasswordUnchanged(db: Db, userId: string, passwordHash: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('passwordHash', '=', passwordHash)
    .select('id')
    .forShare()
    .executeTakeFirst();
  return user !== undefined;
}

/** `null` leaves an account that nobody can log in to until a password is set by an emailed link. */
export async function setPassword(db: Db, userId: string, passwordHash: string | null) {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

/** Also marks the email as verified: the owner opened a link that was sent to it. */
export async function setEmail(db: Db, userId: string, email: string, verifiedAt: Date) {
  await db.updateTable('users').set({ email, emailVerifiedAt: verifiedAt }).where('id', '=', userId).execute();
}

/** False when no account has this email. */
export function setAdmin(db: Db, email: string, isAdmin: boolean) {
  return db
    .updateTable('users')
    .set({ isAdmin })
    .where(sameEmail(email))
    .returning(['id', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}

/** Also removes recovery codes that were made since. */
export async function removeFactorsSince(db: Db, userId: string, since: Date) {
  await db.deleteFrom('userFactors').where('userId', '=', userId).where('createdAt', '>=', since).execute();
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).where('createdAt', '>=', since).execute();
}

export async function removeFactorsOf(db: Db, userId: string) {
  await db.deleteFrom('userFactors').where('userId', '=', userId).execute();
  await db.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
}

export async function isKnownBrowser(db: Db, userId: string, browserHash: Buffer): Promise<boolean> {
  const known = await db
    .selectFrom('knownBrowsers')
    .where('userId', '=', userId)
    .where('browserHash', '=', browserHash)
    .select('userId')
    .executeTakeFirst();
  return known !== undefined;
}

export async function countKnownBrowsers(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('knownBrowsers')
    .where('userId', '=', userId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** False if it was known; then only when it was last seen changes. */
export async function addKnownBrowser(db: Db, browser: Insertable<Schema['knownBrowsers']>): Promise<boolean> {
  const { rows } = await sql<{ isAdded: boolean }>`
    insert into known_browsers (user_id, browser_hash, last_seen_at)
    values (${browser.userId}, ${browser.browserHash}, ${browser.lastSeenAt})
        on conflict (user_id, browser_hash) do update set last_seen_at = excluded.last_seen_at
    returning xmax = 0 as is_added`.execute(db);
  return rows[0]?.isAdded ?? false;
}

export async function sweepKnownBrowsers(db: Db, lastSeenBefore: Date) {
  await db.deleteFrom('knownBrowsers').where('lastSeenAt', '<', lastSeenBefore).execute();
}

export async function sweepChallenges(db: Db, now: Date) {
  await db.deleteFrom('factorChallenges').where('expiresAt', '<=', now).execute();
}

export async function findVerification(db: Db, userId: string): Promise<Date | null> {
  const user = await db.selectFrom('users').where('id', '=', userId).select('emailVerifiedAt').executeTakeFirst();
  return user?.emailVerifiedAt ?? null;
}

export async function markEmailVerified(db: Db, userId: string, at: Date) {
  await db.updateTable('users').set({ emailVerifiedAt: at }).where('id', '=', userId).execute();
}

type Person = Pick<Schema['users'], 'firstName' | 'lastName' | 'dateOfBirth' | 'phoneNumber'>;

export async function savePerson(db: Db, userId: string, person: Partial<Person>) {
  await db.updateTable('users').set(person).where('id', '=', userId).where('erasedAt', 'is', null).execute();
}

export function findPerson(db: Db, userId: string): Promise<Person> {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['firstName', 'lastName', 'dateOfBirth', 'phoneNumber'])
    .executeTakeFirstOrThrow();
}
