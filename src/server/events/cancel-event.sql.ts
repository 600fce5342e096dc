import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

export async function markCancelled(db: Db, eventId: string): Promise<void> {
  await db.updateTable('events').set({ cancelledAt: sql<Date>`business_now()` }).where('id', '=', eventId).execute();
}
