import { type Insertable, sql, type Updateable } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
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

/** Includes tickets with a refund in progress, because Stripe may refuse that refund now. */
export async function flagTickets(db: Db, { eventId, orderId }: OrderRef, at: Date): Promise<void> {
  await sql`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and state in ('valid', 'scanned', 'refunding')
       order by id for update)
    update tickets t set disputed_at = ${at}
      from locked
     where t.event_id = ${eventId} and t.id = locked.id and t.disputed_at is null`.execute(db);
}

export async function unflagTickets(db: Db, { eventId, orderId }: OrderRef): Promise<void> {
  await sql`
    with locked as (
      select id from tickets
       where event_id = ${eventId} and order_id = ${orderId} and disputed_at is not null
       order by id for update)
    update tickets t set disputed_at = null
      from locked where t.event_id = ${eventId} and t.id = locked.id`.execute(db);
}

export async function organizerEmail(db: Db, organizerId: string): Promise<string> {
  const { email } = await db
    .selectFrom('users')
    .where('id', '=', organizerId)
    .select('email')
    .executeTakeFirstOrThrow();
  return email;
}
