import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface Hold {
  since: Date;
  reason: string;
}

/** Why the payouts of each event wait for an operator; nothing for those that don't. */
export async function holdsOf(db: Db, eventIds: readonly string[]): Promise<ReadonlyMap<string, Hold>> {
  const { rows } = await sql<Hold & { eventId: string }>`
    select id as event_id, hold.since, hold.reason
      from unnest(${[...eventIds]}::text[]) as id, payout_hold(id) as hold`.execute(db);
  return new Map(rows.map(({ eventId, ...hold }) => [eventId, hold]));
}

/** @param eventId a column */
export const isHeld = (eventId: RawBuilder<string>): RawBuilder<boolean> =>
  sql<boolean>`exists (select from payout_hold(${eventId}))`;

/** Serializes with claiming a payout of the event. Undefined for an unknown event. */
export function lockEventToHold(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['organizationId', sql<Date>`business_now()`.as('now')])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** False if the event's payouts are held already. */
export async function insertHold(db: Db, hold: Insertable<Schema['payoutHolds']>): Promise<boolean> {
  const inserted = await db
    .insertInto('payoutHolds')
    .values(hold)
    .onConflict((conflict) => conflict.doNothing())
    .returning('eventId')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** False if they are not held. */
export async function deleteHold(db: Db, eventId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('payoutHolds')
    .where('eventId', '=', eventId)
    .returning('eventId')
    .executeTakeFirst();
  return deleted !== undefined;
}
