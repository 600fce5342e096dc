import type { Insertable, Updateable } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export async function findDispute(db: Db, eventId: string, stripeDisputeId: string) {
  return db
    .selectFrom('disputes')
    .where('eventId', '=', eventId)
    .where('stripeDisputeId', '=', stripeDisputeId)
    .select(['id', 'state', 'feeCents', 'openedAt'])
    .executeTakeFirst();
}

export async function insertDispute(db: Db, dispute: Insertable<Schema['disputes']>): Promise<void> {
  await db.insertInto('disputes').values(dispute).execute();
}

export async function updateDispute(
  db: Db,
  { eventId, disputeId }: { eventId: string; disputeId: string },
  change: Updateable<Schema['disputes']>,
): Promise<void> {
  await db.updateTable('disputes').set(change).where('eventId', '=', eventId).where('id', '=', disputeId).execute();
}
