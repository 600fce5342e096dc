import { sql } from 'kysely';
import { CODE_MONTHS } from '#domain/accounts/affiliate.ts';
import type { Db } from '#server/platform/database.ts';

export async function lockTokens(db: Db, organizationId: string): Promise<number> {
  const { tokenCount } = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('tokenCount')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return tokenCount;
}

export async function addTokens(db: Db, organizationId: string, tokens: number): Promise<void> {
  await db
    .updateTable('organizations')
    .set((column) => ({ tokenCount: column('tokenCount', '+', tokens) }))
    .where('id', '=', organizationId)
    .execute();
}

const isTooOld = sql<boolean>`created_at <= business_now() - make_interval(months => ${CODE_MONTHS})`;
const isExpired = sql<boolean>`event_id is null and ${isTooOld}`;
const isUnused = sql<boolean>`event_id is null and not ${isTooOld}`;

/** Makes room for the next code: an organization has one that is neither used nor marked. */
export async function markExpiredCodes(db: Db, ownerId: string): Promise<void> {
  await sql`
    update affiliate_codes set expired_at = business_now()
     where owner_id = ${ownerId} and expired_at is null and ${isExpired}`.execute(db);
}

export function codesOf(db: Db, ownerId: string, limit: number) {
  return db
    .selectFrom('affiliateCodes')
    .where('ownerId', '=', ownerId)
    .select(['code', 'createdAt', 'redeemedAt', 'rewardedAt', isExpired.as('isExpired')])
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
}

export async function findUnusedCode(db: Db, ownerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('affiliateCodes')
    .where('ownerId', '=', ownerId)
    .where(isUnused)
    .select('code')
    .executeTakeFirst();
  return row?.code ?? null;
}

export async function insertCode(db: Db, row: { code: string; ownerId: string; createdAt: Date }): Promise<void> {
  await db.insertInto('affiliateCodes').values(row).execute();
}

export async function findUnusedCodeOwner(db: Db, code: string): Promise<string | null> {
  const row = await db
    .selectFrom('affiliateCodes')
    .where('code', '=', code)
    .where(isUnused)
    .select('ownerId')
    .executeTakeFirst();
  return row?.ownerId ?? null;
}

export async function hasRedeemed(db: Db, organizationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('affiliateCodes')
    .where('redeemedBy', '=', organizationId)
    .select('code')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Redemption {
  code: string;
  organizationId: string;
  eventId: string;
}

/** A single statement, so only one of two concurrent events redeems the code. */
export async function redeemUnusedCode(db: Db, { code, organizationId, eventId }: Redemption): Promise<boolean> {
  const { rows } = await sql`
    update affiliate_codes
       set redeemed_by = ${organizationId}, event_id = ${eventId}, redeemed_at = business_now()
     where code = ${code}
       and not ${isTooOld}
       and event_id is null
       and owner_id <> ${organizationId}
    returning code`.execute(db);
  return rows.length === 1;
}

export async function moveRedeemedCode(db: Db, fromEventId: string, toEventId: string): Promise<void> {
  await db
    .updateTable('affiliateCodes')
    .set({ eventId: toEventId })
    .where('eventId', '=', fromEventId)
    .where('rewardedAt', 'is', null)
    .execute();
}

/** False when the organization has no waiver left. */
export async function consumeWaiver(db: Db, organizationId: string): Promise<boolean> {
  const { rows } = await sql`
    update organizations set fee_waivers = fee_waivers - 1
     where id = ${organizationId} and fee_waivers > 0
    returning id`.execute(db);
  return rows.length === 1;
}

/** Returns the owner of the code that the event was created with, once per event. */
export async function markRewarded(db: Db, eventId: string, at: Date): Promise<string | null> {
  const rewarded = await db
    .updateTable('affiliateCodes')
    .set({ rewardedAt: at })
    .where('eventId', '=', eventId)
    .where('rewardedAt', 'is', null)
    .returning('ownerId')
    .executeTakeFirst();
  return rewarded?.ownerId ?? null;
}

export async function addWaiver(db: Db, organizationId: string): Promise<void> {
  await db
    .updateTable('organizations')
    .set((column) => ({ feeWaivers: column('feeWaivers', '+', 1) }))
    .where('id', '=', organizationId)
    .execute();
}
