import { sql } from 'kysely';
import { BEFORE_ALL_IDS } from '#server/platform/ids.ts';
import { type Sweep, sweepPage } from './purge.sql.ts';

/** One that is still waiting, or was sent again, counts from the last attempt. */
export const sweepDeliveries: Sweep = (db, { before, after, limit }) => {
  const [endpointId = '', id = ''] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select endpoint_id, id from webhook_deliveries
            where (endpoint_id, id) > (${endpointId || BEFORE_ALL_IDS}::uuid, ${id || BEFORE_ALL_IDS}::uuid)
            order by endpoint_id, id limit ${limit}),
         gone as (delete from webhook_deliveries d using page p
                   where d.endpoint_id = p.endpoint_id and d.id = p.id and d.state <> 'waiting'
                     and greatest(d.occurred_at, d.attempted_at) < ${before} returning d.id)
    select (select endpoint_id || ' ' || id from page order by endpoint_id desc, id desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};

export const sweepEndpoints: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from webhook_endpoints where id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}),
         gone as (delete from webhook_endpoints w using page p where w.id = p.id and w.ended_at < ${before} returning w.id)
    select (select id::text from page order by id desc limit 1) as last, (select count(*)::int from gone) as removed`,
  );

export const sweepUndone: Sweep = (db, { before, after, limit }) => {
  const [eventId = '', ticketId = '', scannedAt = ''] = after.split(' ');
  return sweepPage(
    db,
    sql`
    with page as (
           select event_id, ticket_id, scanned_at from undone_check_ins
            where (event_id, ticket_id, scanned_at)
                > (${eventId}, ${ticketId || BEFORE_ALL_IDS}::uuid, ${scannedAt || '-infinity'}::timestamptz)
            order by event_id, ticket_id, scanned_at limit ${limit}),
         gone as (delete from undone_check_ins u using page p
                   where u.event_id = p.event_id and u.ticket_id = p.ticket_id and u.scanned_at = p.scanned_at
                     and u.undone_at < ${before} returning 1)
    select (select event_id || ' ' || ticket_id || ' ' || replace(scanned_at::text, ' ', 'T')
              from page order by event_id desc, ticket_id desc, scanned_at desc limit 1) as last,
           (select count(*)::int from gone) as removed`,
  );
};
