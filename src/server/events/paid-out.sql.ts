import type { Db } from '#server/platform/database.ts';

export async function hasPayout(db: Db, eventId: string): Promise<boolean> {
  const payout = await db.selectFrom('payouts').where('eventId', '=', eventId).select('id').executeTakeFirst();
  return payout !== undefined;
}
