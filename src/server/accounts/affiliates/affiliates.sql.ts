import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export async function lockTokens(db: Db, organizerId: string): Promise<number> {
  const { tokenCount } = await db
    .selectFrom('users')
    .where('id', '=', organizerId)
    .select('tokenCount')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return tokenCount;
}

export async function addTokens(db: Db, organizerId: string, tokens: number): Promise<void> {
  await db
    .updateTable('users')
    .set((column) => ({ tokenCount: column('tokenCount', '+', tokens) }))
    .where('id', '=', organizerId)
    .execute();
}

export async function findTokenCount(db: Db, organizerId: string): Promise<number> {
  const { tokenCount } = await db
    .selectFrom('users')
    .where('id', '=', organizerId)
    .select('tokenCount')
    .executeTakeFirstOrThrow();
  return tokenCount;
}

export async function findUnusedCode(db: Db, ownerId: string): Promise<string | null> {
  const row = await db
    .selectFrom('affiliateCodes')
    .where('ownerId', '=', ownerId)
    .where('eventId', 'is', null)
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
    .where('eventId', 'is', null)
    .select('ownerId')
    .executeTakeFirst();
  return row?.ownerId ?? null;
}

export async function hasRedeemed(db: Db, organizerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('affiliateCodes')
    .where('redeemedBy', '=', organizerId)
    .select('code')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Redemption {
  code: string;
  organizerId: string;
  eventId: string;
}

/** A single statement, so only one of two concurrent events redeems the code. */
export async function redeemUnusedCode(db: Db, { code, organizerId, eventId }: Redemption): Promise<boolean> {
  const { rows } = await sql`
    update affiliate_codes
       set redeemed_by = ${organizerId}, event_id = ${eventId}, redeemed_at = business_now()
     where code = ${code}
       and event_id is null
       and owner_id <> ${organizerId}
    returning code`.execute(db);
  return rows.length === 1;
}

/** False when the organizer has no waiver left. */
export async function consumeWaiver(db: Db, organizerId: string): Promise<boolean> {
  const { rows } = await sql`
    update users set fee_waivers = fee_waivers - 1
     where id = ${organizerId} and fee_waivers > 0
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

export async function addWaiver(db: Db, organizerId: string): Promise<void> {
  await db
    .updateTable('users')
    .set((column) => ({ feeWaivers: column('feeWaivers', '+', 1) }))
    .where('id', '=', organizerId)
    .execute();
}
