/** Members of organizations, and invitations. */
import { type Insertable, sql } from 'kysely';
import type { Access } from '#domain/accounts/roles.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

interface Membership {
  organizationId: string;
  userId: string;
}

/** Owners first, then by address. */
export function membersOf(db: Db, organizationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .select(['u.id as userId', 'u.email', 'm.role', 'm.onlyEventIds', 'm.joinedAt', 'm.lastSeenAt'])
    .orderBy(sql`m.role <> 'owner'`)
    .orderBy(sql`lower(u.email)`)
    .execute();
}

/** In the order in which everyone locks them. */
export function membersById(db: Db, organizationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .select(['u.id as userId', 'u.email'])
    .orderBy('u.id')
    .execute();
}

export function findMember(db: Db, { organizationId, userId }: Membership) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .select(['m.role', 'u.email'])
    .executeTakeFirst();
}

export function memberWithAuthority(db: Db, { organizationId, userId }: Membership) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .where('o.erasedAt', 'is', null)
    .select(['m.role', 'm.onlyEventIds', 'u.emailVerifiedAt', 'o.name as organizationName', 'o.requiresFactor'])
    .select(
      sql<boolean>`exists (select from user_factors f where f.user_id = u.id and f.confirmed_at is not null)`.as(
        'hasFactor',
      ),
    )
    .executeTakeFirst();
}

export async function countOtherOwners(db: Db, { organizationId, userId }: Membership): Promise<number> {
  const { owners } = await db
    .selectFrom('memberships')
    .where('organizationId', '=', organizationId)
    .where('userId', '!=', userId)
    .where('role', '=', 'owner')
    .select(({ fn }) => fn.countAll<string>().as('owners'))
    .executeTakeFirstOrThrow();
  return Number(owners);
}

/** Members and invitations, except the one of this address: inviting it again takes no further place. */
export async function countPlaces(db: Db, organizationId: string, { email, now }: { email: string; now: Date }) {
  const { rows } = await sql<{ places: number }>`
    select (select count(*)::int from memberships where organization_id = ${organizationId})
         + (select count(*)::int from invitations
             where organization_id = ${organizationId} and expires_at > ${now} and lower(email) <> lower(${email})) as places`.execute(
    db,
  );
  return rows[0]?.places ?? 0;
}

export async function isMember(db: Db, organizationId: string, email: string): Promise<boolean> {
  const member = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .where(sql<boolean>`lower(u.email) = lower(${email})`)
    .select('u.id')
    .executeTakeFirst();
  return member !== undefined;
}

/** Whether all of these are events of the organization. */
export async function ownsEvents(db: Db, organizationId: string, eventIds: readonly string[]): Promise<boolean> {
  const { owned } = await db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .where('id', 'in', eventIds)
    .select(({ fn }) => fn.countAll<string>().as('owned'))
    .executeTakeFirstOrThrow();
  return Number(owned) === new Set(eventIds).size;
}

/** Newest first. */
export function newestEventsOf(db: Db, organizationId: string, limit: number) {
  return db
    .selectFrom('events')
    .where('organizationId', '=', organizationId)
    .select(['id as eventId', 'title'])
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

/** Newest first. */
export function invitationsOf(db: Db, organizationId: string, now: Date) {
  return db
    .selectFrom('invitations')
    .where('organizationId', '=', organizationId)
    .where('expiresAt', '>', now)
    .select(['id', 'email', 'role', 'onlyEventIds', 'expiresAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

/** In place of an earlier one of the address. */
export async function putInvitation(db: Db, invitation: Insertable<Schema['invitations']>) {
  await db
    .deleteFrom('invitations')
    .where('organizationId', '=', invitation.organizationId)
    .where(sql<boolean>`lower(email) = lower(${invitation.email})`)
    .execute();
  await db.insertInto('invitations').values(invitation).execute();
}

/** The role it offered. */
export function removeInvitation(db: Db, organizationId: string, id: string) {
  return db
    .deleteFrom('invitations')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .returning('role')
    .executeTakeFirst();
}

export function findInvitation(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organizationId')
    .where('i.tokenHash', '=', tokenHash)
    .where('i.expiresAt', '>', now)
    .where('o.erasedAt', 'is', null)
    .select(['i.id', 'i.organizationId', 'i.email', 'i.role', 'i.onlyEventIds', 'o.name as organizationName'])
    .executeTakeFirst();
}

export async function addMember(db: Db, member: Insertable<Schema['memberships']>) {
  await db.insertInto('memberships').values(member).execute();
}

export async function setAccess(db: Db, { organizationId, userId }: Membership, { role, onlyEventIds }: Access) {
  await db
    .updateTable('memberships')
    .set({ role, onlyEventIds: onlyEventIds && [...onlyEventIds] })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute();
}

/** Members and invitations that were given chosen events have one less. */
export async function withdrawEvent(db: Db, organizationId: string, eventId: string): Promise<void> {
  for (const table of ['memberships', 'invitations'] as const)
    await db
      .updateTable(table)
      .set({ onlyEventIds: sql<string[]>`array_remove(only_event_ids, ${eventId})` })
      .where('organizationId', '=', organizationId)
      .where(sql<boolean>`${eventId} = any (only_event_ids)`)
      .execute();
}

/** Those that were given all of some events are given others, unless they get too many. */
export async function extendAccess(
  db: Db,
  organizationId: string,
  { given, added, max }: { given: readonly string[]; added: readonly string[]; max: number },
): Promise<void> {
  for (const table of ['memberships', 'invitations'] as const)
    await db
      .updateTable(table)
      .set({ onlyEventIds: sql<string[]>`only_event_ids || ${[...added]}::text[]` })
      .where('organizationId', '=', organizationId)
      .where(sql<boolean>`only_event_ids @> ${[...given]}::text[]`)
      .where(sql<boolean>`cardinality(only_event_ids) + ${added.length} <= ${max}`)
      .execute();
}

/** Also ends the sessions in which the person acted for the organization. */
export async function deleteMember(db: Db, { organizationId, userId }: Membership) {
  await db
    .deleteFrom('memberships')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute();
}

/** By name; those without one last. */
export function organizationsOf(db: Db, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .where('m.userId', '=', userId)
    .where('o.erasedAt', 'is', null)
    .select(['o.id as organizationId', 'o.name', 'm.role', sql<boolean>`m.only_event_ids is null`.as('isForAllEvents')])
    .orderBy('o.name', (order) => order.asc().nullsLast())
    .orderBy('m.joinedAt')
    .execute();
}
