import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Of checkouts that ended before then without a payment. */
export async function deleteEndedCheckouts(tx: Db, eventId: string, before: Date): Promise<void> {
  await sql`select delete_ended_checkouts(${eventId}, ${before})`.execute(tx);
}

/** In any state. */
export async function hasOrders(tx: Db, eventId: string): Promise<boolean> {
  const order = await tx.selectFrom('orders').where('eventId', '=', eventId).select('id').limit(1).executeTakeFirst();
  return order !== undefined;
}
