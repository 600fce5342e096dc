import { type Insertable, sql } from 'kysely';
import type { AuditAction } from '#domain/accounts/audit-actions.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

interface NewAuditEvent extends Insertable<Schema['auditEvents']> {
  accountId: string | null;
}

/** Finds the organization here, so that no caller can leave an event out of its organization's log. False if the ID exists. */
export async function insertAuditEvent(
  db: Db,
  { accountId, organizationId, ...event }: NewAuditEvent,
): Promise<boolean> {
  const inserted = await db
    .insertInto('auditEvents')
    .values({
      ...event,
      organizationId: sql<string | null>`coalesce(
        ${organizationId}::uuid,
        (select organization_id from events where id = ${event.eventId}),
        (select organization_id from memberships where user_id = ${accountId}::uuid order by joined_at limit 1))`,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export interface EventActivity {
  /** When a person last did something about the event. */
  actedAt: Date | null;
  /** When the action was last done. */
  lastAt: Date | null;
}

export async function activityOfEvents(
  db: Db,
  eventIds: readonly string[],
  action: AuditAction,
): Promise<(EventActivity & { eventId: string })[]> {
  const { rows } = await sql<EventActivity & { eventId: string }>`
    select event_id, max(at) filter (where actor_kind <> 'job') as acted_at, max(at) filter (where action = ${action}) as last_at
      from audit_events where event_id = any (${[...eventIds]}) group by event_id`.execute(db);
  return rows;
}

export async function findNetworkKey(db: Db, year: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('networkKeys').where('year', '=', year).select('key').executeTakeFirst();
  return row?.key;
}

/** Keeps the key of a concurrent transaction, which has to commit first. */
export async function insertNetworkKey(db: Db, row: Schema['networkKeys']): Promise<void> {
  await db
    .insertInto('networkKeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
