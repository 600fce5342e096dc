/** Removes what buyers were asked, once its time is over. */
import { sql } from 'kysely';
import { LAST_ORDER, orderPage, type Sweep, sweepPage } from './purge.sql.ts';

/** Each as long after the event's end as its question says: as it was asked, or as it is asked now if that is sooner. */
export const sweepAnswers: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         due as (
           select g.event_id, g.order_id, g.position, array_agg(q.question ->> 'id') as questions
             from page p
             join orders o on o.event_id = p.event_id and o.id = p.id and o.form_version is not null
             join events e on e.id = o.event_id and e.latest_ends_at < ${before}
             join guest_forms f on f.event_id = o.event_id and f.version = o.form_version
            cross join jsonb_array_elements(f.questions) as q (question)
             join order_guests g on g.event_id = o.event_id and g.order_id = o.id and g.answers ? (q.question ->> 'id')
            cross join lateral (
              select min((n.question ->> 'deleteAfterDays')::integer) as days
                from guest_forms w cross join jsonb_array_elements(w.questions) as n (question)
               where w.event_id = e.id and w.version in (o.form_version, e.form_version)
                 and n.question ->> 'id' = q.question ->> 'id') as kept
            where e.latest_ends_at + make_interval(days => kept.days) < ${before}
            group by g.event_id, g.order_id, g.position),
         gone as (update order_guests g set answers = g.answers - d.questions from due d
                   where g.event_id = d.event_id and g.order_id = d.order_id and g.position = d.position returning g.position)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

export const sweepNames: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         gone as (update order_guests g set name = null
                    from page p join events e on e.id = p.event_id and e.latest_ends_at < ${before}
                   where g.event_id = p.event_id and g.order_id = p.id and g.name is not null returning g.position)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

/** What an organizer wrote about guests. */
export const sweepDoorNotes: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         gone as (update order_guests g set door_note = null
                    from page p join events e on e.id = p.event_id and e.latest_ends_at < ${before}
                   where g.event_id = p.event_id and g.order_id = p.id and g.door_note is not null returning g.position)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

/** Of orders that expired. */
export const sweepUnpaid: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         gone as (delete from order_guests g
                   using page p join orders o on o.event_id = p.event_id and o.id = p.id and o.state = 'expired' and o.created_at < ${before}
                   where g.event_id = o.event_id and g.order_id = o.id returning g.position)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );
