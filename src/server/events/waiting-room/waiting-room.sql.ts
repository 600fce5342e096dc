import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/**
 * The sale of an event that can still be bought, as the checkout and the waiting room see it; the room's columns are null
 * where it has none.
 */
export async function saleRow(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('waitingRooms as r', (join) =>
      join.onRef('r.eventId', '=', 'e.id').on('e.buyersPerMinute', 'is not', null),
    )
    .where('e.id', '=', eventId)
    .where('e.cancelledAt', 'is', null)
    .where('e.endsAt', '>', sql<Date>`business_now()`)
    .select(['e.salesStartAt', 'r.given', 'r.early', 'r.calledBefore', 'r.since', 'r.perMinute', 'r.earlierPaces'])
    .select(sql<boolean>`r.early is null and r.since <= business_now()`.as('isDrawDue'))
    .select(
      sql<boolean>`not exists (
        select 1 from ticket_types t where t.event_id = e.id and t.removed_at is null and t.reserved < t.quantity)`.as(
        'isSoldOut',
      ),
    )
    .executeTakeFirst();
}

/** From now on it is known how many came before the start: whoever comes later is not drawn. */
export async function closeDraw(db: Db, eventId: string) {
  return db
    .updateTable('waitingRooms')
    .set((column) => ({ early: column.ref('given') }))
    .where('eventId', '=', eventId)
    .where('early', 'is', null)
    .where('since', '<=', sql<Date>`business_now()`)
    .execute();
}

export interface Arrivals {
  eventId: string;
  count: number;
}

/**
 * Gives out the next numbers of several rooms, so many in each; answers the last of each. One statement decides who was
 * before whom, and whether that was before the start.
 *
 * After a quiet time the next number would have been called long ago, and a whole crowd with it: numbers
 * that were called more than a minute ago are skipped, and so are those that an earlier pace has called.
 *
 * The rooms are locked in one order, so that two servers never wait for each other.
 */
export async function assignNumbers(
  db: Db,
  arrivals: readonly Arrivals[],
): Promise<{ eventId: string; given: number }[]> {
  const { rows } = await sql<{ eventId: string; given: number }>`
    with locked as materialized (
      select event_id from waiting_rooms
       where event_id = any(${arrivals.map(({ eventId }) => eventId)}::text[])
       order by event_id for update
    )
    update waiting_rooms r
       set early = case when r.early is null and r.since <= clock.now then r.given else r.early end,
           given = greatest(
             r.given,
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
    returning r.event_id, r.given`.execute(db);
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
    .values({ eventId, early: null, ...room })
    .execute();
}

export async function updateWaitingRoom(
  db: Db,
  eventId: string,
  room: WaitingRoomColumns & { early?: number | null; calledBefore?: number; earlierPaces?: string },
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
