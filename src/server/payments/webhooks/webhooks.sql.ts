import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

interface NewWebhookEvent extends Omit<Schema['webhookEvents'], 'payload' | 'receivedAt' | 'processedAt'> {
  payload: unknown;
  /** Needs no processing. */
  isIgnored: boolean;
}

/** @returns whether the event is new: Stripe delivers at least once. */
export async function insertWebhookEvent(db: Db, { isIgnored, ...event }: NewWebhookEvent): Promise<boolean> {
  const inserted = await db
    .insertInto('webhookEvents')
    .values({
      ...event,
      payload: JSON.stringify(event.payload),
      receivedAt: sql`business_now()`,
      processedAt: isIgnored ? sql`business_now()` : null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

const unprocessed = (db: Db) =>
  db
    .selectFrom('webhookEvents')
    .where('processedAt', 'is', null)
    .select(['id', 'type', 'eventId', 'orderId', 'paymentId', 'accountId', 'subject'])
    // As text: the database client would convert the payload's snake_case keys.
    .select(sql<string>`payload::text`.as('payload'))
    .select(sql<number>`extract(epoch from business_now() - received_at)::float8`.as('ageSeconds'));

export type UnprocessedEvent = NonNullable<Awaited<ReturnType<typeof unprocessedEvent>>>;

export function unprocessedEvent(db: Db, webhookEventId: string) {
  return unprocessed(db).where('id', '=', webhookEventId).executeTakeFirst();
}

export function unprocessedEventsOf(db: Db, subject: string, limit: number): Promise<UnprocessedEvent[]> {
  return unprocessed(db).where('subject', '=', subject).orderBy('receivedAt').limit(limit).execute();
}

export async function markProcessed(db: Db, webhookEventIds: readonly string[]): Promise<void> {
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: sql<Date>`business_now()` })
    .where('id', 'in', webhookEventIds)
    .where('processedAt', 'is', null)
    .execute();
}

/** Events that have been unprocessed for a while and have no job left. */
export async function overdueEvents(db: Db, limit: number) {
  const { rows } = await sql<{ webhookEventId: string; subject: string }>`
    select min(n.id) as "webhookEventId", coalesce(n.subject, n.id) as subject
      from webhook_events n
     where n.processed_at is null
       and n.received_at <= business_now() - interval '3 minutes'
       and not exists (
         select from graphile_worker.jobs j
          where j.key = 'webhook ' || coalesce(n.subject, n.id) and j.attempts < j.max_attempts)
     group by coalesce(n.subject, n.id)
     order by min(n.received_at)
     limit ${limit}`.execute(db);
  return rows;
}

export function refundsOfOrder(db: Db, { eventId, orderId }: { eventId: string; orderId: string }) {
  return db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['id', 'stripeRefundId', 'state', 'cents', 'settledAt'])
    .execute();
}
