import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** The sale of an event that has neither ended nor been cancelled. The room's columns are null without a waiting room. */
export async function saleRow(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('waitingRooms as r', (join) =>
      join.onRef('r.eventId', '=', 'e.id').on('e.buyersPerMinute', 'is not', null),
    )
    .where('e.id', '=', eventId)
    .where('e.cancelledAt', 'is', null)
    .where('e.endsAt', '>', sql<Date>`business_now()`)
    .select([
      'e.salesStartAt',
      'r.lastPass',
      'r.drawSize',
      'r.calledBefore',
      'r.since',
      'r.perMinute',
      'r.earlierRates',
    ])
    .select(sql<boolean>`r.draw_size is null and r.since <= business_now()`.as('isDrawDue'))
    .select(
      sql<boolean>`not exists (
        select 1 from ticket_types t where t.event_id = e.id and t.removed_at is null and t.available > 0)`.as(
        'isSoldOut',
      ),
    )
    .executeTakeFirst();
}

/** Fixes the number of arrivals that take part in the draw. */
export async function closeDraw(db: Db, eventId: string) {
  return db
    .updateTable('waitingRooms')
    .set((column) => ({ drawSize: column.ref('lastPass') }))
    .where('eventId', '=', eventId)
    .where('drawSize', 'is', null)
    .where('since', '<=', sql<Date>`business_now()`)
    .execute();
}

export interface Arrivals {
  eventId: string;
  count: number;
}

/**
 * Assigns the next `count` positions in each room and returns the last of each. One statement decides the order of
 * arrival, and whether it was before the start.
 *
 * Positions called more than a minute ago, or by an earlier rate, are skipped: otherwise a crowd that arrives after a
 * quiet period would be called all at once.
 *
 * Rooms are locked in one order to avoid deadlocks.
 */
export async function assignPositions(
  db: Db,
  arrivals: readonly Arrivals[],
): Promise<{ eventId: string; lastPass: number }[]> {
  const { rows } = await sql<{ eventId: string; lastPass: number }>`
    with locked as materialized (
      select event_id from waiting_rooms
       where event_id = any(${arrivals.map(({ eventId }) => eventId)}::text[])
       order by event_id for update
    )
    update waiting_rooms r
       set draw_size = case when r.draw_size is null and r.since <= clock.now then r.last_pass else r.draw_size end,
           last_pass = greatest(
             r.last_pass,
             case when r.since <= clock.now
                  then r.called_before + greatest(
                    0,
                    floor(extract(epoch from clock.now - r.since) * r.per_minute / 60)::bigint - r.per_minute
                  )
                  else 0 end
           ) + arrived.count
      from unnest(${arrivals.map(({ eventId }) => eventId)}::text[], ${arrivals.map(({ count }) => count)}::int[])
             as arrived (event_id, count)
           join locked using (event_id),
           (select business_now() as now) as clock
     where r.event_id = arrived.event_id
    returning r.event_id, r.last_pass`.execute(db);
  return rows;
}

export async function lockWaitingRoom(db: Db, eventId: string) {
  return db.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().forUpdate().executeTakeFirst();
}

export interface WaitingRoomColumns {
  since: Date;
  perMinute: number;
}

export async function insertWaitingRoom(db: Db, eventId: string, room: WaitingRoomColumns): Promise<void> {
  await db
    .insertInto('waitingRooms')
    .values({ eventId, drawSize: null, ...room })
    .execute();
}

export async function updateWaitingRoom(
  db: Db,
  eventId: string,
  room: WaitingRoomColumns & { drawSize?: number | null; calledBefore?: number; earlierRates?: string },
): Promise<void> {
  await db.updateTable('waitingRooms').set(room).where('eventId', '=', eventId).execute();
}

export async function hasPaidCart(db: Db, eventId: string, cartId: string): Promise<boolean> {
  const order = await db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('cartId', '=', cartId)
    .where('state', '=', 'paid')
    .select('id')
    .executeTakeFirst();
  return order !== undefined;
}
