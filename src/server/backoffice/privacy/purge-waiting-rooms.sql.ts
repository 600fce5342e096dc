/** What waiting rooms no longer need. */
import { sql } from 'kysely';
import { type Sweep, sweepPage } from './purge.sql.ts';

/** The networks of a waiting room are counted until sales start. */
export const sweepWaitingRoomNetworks: Sweep = (db, { before, after, limit }) => {
  const [eventId, hash] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select event_id, network_hash from waiting_room_networks
            where (event_id, network_hash) > (${eventId ?? ''}, ${hash ?? '-1'}::bigint)
            order by event_id, network_hash limit ${limit}),
         gone as (delete from waiting_room_networks n using page p, waiting_rooms r
                   where n.event_id = p.event_id and n.network_hash = p.network_hash and r.event_id = n.event_id and r.since < ${before}
                  returning n.event_id)
    select (select event_id || ' ' || network_hash from page order by event_id desc, network_hash desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};

/** Which passes' pages polled, in rooms that have not moved since. */
export const sweepWaitingRoomPresence: Sweep = (db, { before, after, limit }) => {
  const [eventId, minute, block] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select event_id, minute, block from waiting_room_presence
            where (event_id, minute, block) > (${eventId ?? ''}, ${minute ?? '-1'}::integer, ${block ?? '-1'}::bigint)
            order by event_id, minute, block limit ${limit}),
         gone as (delete from waiting_room_presence n using page p
                   where n.event_id = p.event_id and n.minute = p.minute and n.block = p.block
                     and n.minute < extract(epoch from ${before}::timestamptz) / 60 - 15
                  returning n.event_id)
    select (select event_id || ' ' || minute || ' ' || block from page order by event_id desc, minute desc, block desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};

/** Positions that were skipped, once their event has ended. */
export const sweepWaitingRoomSkips: Sweep = (db, { before, after, limit }) => {
  const [eventId, position] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select event_id, position from waiting_room_skips
            where (event_id, position) > (${eventId ?? ''}, ${position ?? '-1'}::bigint)
            order by event_id, position limit ${limit}),
         gone as (delete from waiting_room_skips s using page p, events e
                   where s.event_id = p.event_id and s.position = p.position and e.id = s.event_id and e.ends_at < ${before}
                  returning s.event_id)
    select (select event_id || ' ' || position from page order by event_id desc, position desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};
