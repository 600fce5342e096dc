import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** The sale of a published event that has neither ended nor been cancelled. The room's columns are null without a waiting room. */
export async function saleRow(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .leftJoin('waitingRooms as r', (join) =>
      join.onRef('r.eventId', '=', 'e.id').on('e.buyersPerMinute', 'is not', null),
    )
    .where('e.id', '=', eventId)
    .where('e.isPublished', '=', true)
    .where('e.cancelledAt', 'is', null)
    .where('e.endsAt', '>', sql<Date>`business_now()`)
    .select([
      'e.salesStartAt',
      'r.lastPass',
      'r.drawSize',
      'r.drawSecretId',
      'r.calledBefore',
      'r.since',
      'r.perMinute',
      'r.pausedAt',
      'r.earlierRates',
      'r.calledThrough',
    ])
    .select(sql<Date>`business_now()`.as('now'))
    .select(sql<boolean>`r.draw_size is null and r.since <= business_now()`.as('isDrawDue'))
    .select(
      // Of what all visitors see and lets them in. An event that sells hidden tickets only is sold out when those are.
      sql<boolean>`not coalesce((
        select bool_or(not is_sold_out(available_of(t.event_id, t.id, t.available, t.shares_capacity), t))
          from ticket_types t
         where t.event_id = e.id and t.removed_at is null and not t.is_add_on
           and t.is_hidden = (select bool_and(x.is_hidden) from ticket_types x
                               where x.event_id = e.id and x.removed_at is null and not x.is_add_on)), false)`.as(
        'isSoldOut',
      ),
    )
    .executeTakeFirst();
}

/** Keeps the name of an earlier secret: of two servers during a rotation, the first one decides. */
export async function nameDrawSecret(db: Db, eventId: string, drawSecretId: Buffer) {
  await db
    .updateTable('waitingRooms')
    .set({ drawSecretId })
    .where('eventId', '=', eventId)
    .where('drawSecretId', 'is', null)
    .execute();
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

/** Browsers of one network that ask for a pass. */
export interface Arrivals {
  eventId: string;
  /** Of the event and the network; null if the network's passes aren't limited. */
  networkHash: number | null;
  count: number;
}

export interface AssignedPasses extends Omit<Arrivals, 'count'> {
  /** How many of them get a pass. */
  granted: number;
  /** The last of all positions that the room assigned. */
  lastPass: number;
}

/**
 * Assigns positions in each room. One statement decides the order of arrival, whether it was before the start, and how many passes a
 * network may still get until then.
 *
 * Positions called more than a minute ago, or by an earlier rate, are skipped: otherwise a crowd that arrives after a
 * quiet period would be called all at once.
 *
 * Rooms are locked in one order to avoid deadlocks.
 */
export async function assignPositions(
  db: Db,
  arrivals: readonly Arrivals[],
  passesMax: number | null,
): Promise<AssignedPasses[]> {
  const { rows } = await sql<AssignedPasses>`
    with arrived as materialized (
      select * from unnest(${arrivals.map(({ eventId }) => eventId)}::text[],
                           ${arrivals.map(({ networkHash }) => networkHash)}::bigint[],
                           ${arrivals.map(({ count }) => count)}::int[]) as a (event_id, network_hash, count)
    ),
    clock as materialized (select business_now() as now),
    locked as materialized (
      select event_id, draw_size is null and since > (select now from clock) as is_early from waiting_rooms
       where event_id in (select event_id from arrived)
       order by event_id for update
    ),
    counted as (
      insert into waiting_room_networks as n (event_id, network_hash, passes)
      select a.event_id, a.network_hash, a.count
        from arrived a
        join locked using (event_id)
       where locked.is_early and a.network_hash is not null
          on conflict (event_id, network_hash) do update set passes = n.passes + excluded.passes
      returning n.event_id, n.network_hash, n.passes
    ),
    granted as materialized (
      select a.event_id, a.network_hash,
             coalesce(greatest(0, least(a.count, ${passesMax}::int - (c.passes - a.count))), a.count) as count
        from arrived a
        left join counted c on c.event_id = a.event_id and c.network_hash = a.network_hash
    ),
    moved as (
      update waiting_rooms r
         set draw_size = case when r.draw_size is null and r.since <= clock.now then r.last_pass else r.draw_size end,
             last_pass = greatest(
               r.last_pass,
               case when r.since <= clock.now
                    then r.called_before + greatest(
                      0,
                      floor(extract(epoch from least(clock.now, r.paused_at) - r.since) * r.per_minute / 60)::bigint - r.per_minute
                    )
                    else 0 end
             ) + room.count
        from (select event_id, sum(count) as count from granted group by event_id) as room
        join locked using (event_id),
             clock
       where r.event_id = room.event_id
      returning r.event_id, r.last_pass
    )
    select granted.event_id, granted.network_hash, granted.count as granted, moved.last_pass
      from granted join moved using (event_id)`.execute(db);
  return rows;
}

/** For a start that was moved: the passes issued for the earlier one are void. */
export async function forgetNetworks(db: Db, eventId: string): Promise<void> {
  await db.deleteFrom('waitingRoomNetworks').where('eventId', '=', eventId).execute();
}

export async function lockWaitingRoom(db: Db, eventId: string) {
  return db.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll().forUpdate().executeTakeFirst();
}

/** `undefined` while another server has it. */
export async function tryLockWaitingRoom(db: Db, eventId: string) {
  const room = db.selectFrom('waitingRooms').where('eventId', '=', eventId).selectAll();
  return room.forUpdate().skipLocked().executeTakeFirst();
}

export interface WaitingRoomColumns {
  since: Date;
  perMinute: number;
  pausedAt?: Date | null;
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
  room: Partial<WaitingRoomColumns> & {
    drawSize?: number | null;
    calledBefore?: number;
    calledThrough?: number;
    earlierRates?: string;
  },
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
