import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Adds the organization with its owner. */
export async function addOrganization(db: Db, { id, ownerId, at }: { id: string; ownerId: string; at: Date }) {
  await db.insertInto('organizations').values({ id, createdAt: at }).execute();
  await db
    .insertInto('memberships')
    .values({ organizationId: id, userId: ownerId, role: 'owner', joinedAt: at })
    .execute();
}

/** The user's organization, if its account information, payout account or affiliate code was ever set. */
export async function organizationSetUpBy(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select o.id
      from organizations o join memberships m on m.organization_id = o.id and m.role = 'owner'
     where m.user_id = ${userId}
       and (o.name is not null or o.tax_id_sealed is not null
            or exists (select from payout_accounts p where p.organization_id = o.id)
            or exists (select from affiliate_codes c where c.owner_id = o.id))
       for update of o`.execute(db);
  return rows[0]?.id ?? null;
}

/** With its memberships and their sessions. Fails if the organization has events. */
export async function removeOrganization(db: Db, organizationId: string) {
  await db.deleteFrom('payoutAccounts').where('organizationId', '=', organizationId).execute();
  await db.deleteFrom('affiliateCodes').where('ownerId', '=', organizationId).execute();
  await db.deleteFrom('organizations').where('id', '=', organizationId).execute();
}

/** False if the organization was deleted. */
export async function lockOrganizationRow(db: Db, organizationId: string): Promise<boolean> {
  const organization = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .where('erasedAt', 'is', null)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return organization !== undefined;
}

export function ownersOf(db: Db, organizationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .where('m.role', '=', 'owner')
    .select(['u.id as userId', 'u.email'])
    .execute();
}

/** The members whose role is check-in, at this event. */
export function checkInMembersOf(db: Db, organizationId: string, eventId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .where('m.role', '=', 'check-in')
    .where((where) =>
      where.or([where('m.onlyEventIds', 'is', null), where(where.val(eventId), '=', where.fn.any('m.onlyEventIds'))]),
    )
    .select(['u.id as userId', 'u.email'])
    .execute();
}

/** Excludes the sealed tax ID: no reply shows it. */
export function findOrganization(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['name', 'bio', 'type', 'taxIdLast4', 'tokenCount'])
    .executeTakeFirstOrThrow();
}

export async function saveOrganization(
  db: Db,
  organizationId: string,
  organization: Partial<Pick<Schema['organizations'], 'name' | 'bio' | 'type' | 'taxIdSealed' | 'taxIdLast4'>>,
) {
  await db
    .updateTable('organizations')
    .set(organization)
    .where('id', '=', organizationId)
    .where('erasedAt', 'is', null)
    .execute();
}

/** The legal identity, including the sealed tax ID; `null` until the account information is saved. */
export async function findLegalIdentity(db: Db, organizationId: string) {
  const organization = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select(['name', 'type', 'taxIdSealed'])
    .executeTakeFirst();
  return organization?.taxIdSealed ? { ...organization, taxIdSealed: organization.taxIdSealed } : null;
}

export async function setRequiresFactor(db: Db, organizationId: string, requiresFactor: boolean) {
  await db.updateTable('organizations').set({ requiresFactor }).where('id', '=', organizationId).execute();
}

export async function sweepInvitations(db: Db, now: Date) {
  await db.deleteFrom('invitations').where('expiresAt', '<=', now).execute();
}

export async function sweepFormerSlugs(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('formerSlugs').where('closedUntil', '<=', now).execute();
}
