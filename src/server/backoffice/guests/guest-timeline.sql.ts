import { sql } from 'kysely';
import type { Happening } from '#contract/app/sales/guest-table.ts';
import type { Db } from '#server/platform/database.ts';

interface TimelineRow {
  what: Happening;
  at: Date;
  by: string | null;
}

/** What happened to a ticket and its order, oldest first. */
export async function timelineOf(
  db: Db,
  { eventId, orderId, ticketId }: { eventId: string; orderId: string; ticketId: string },
): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`
    select what, at, by from (
      select case when o.comp_batch_id is null then 'bought' else 'added' end as what, o.paid_at as at, null as by, 1 as place
        from orders o where o.event_id = ${eventId} and o.id = ${orderId}
      union all
      select 'emailed', m.sent_at, null, 2
        from email_outbox m where m.kind = 'tickets' and m.subject_id = ${orderId}::uuid::text
         -- The buyer's later emails leave a transferred ticket out.
         and not exists (select from former_numbers f where f.event_id = ${eventId} and f.ticket_id = ${ticketId} and f.replaced_at <= m.sent_at)
      union all
      select 'resent', m.sent_at, null, 2
        from email_outbox m where m.kind = 'ticket' and m.subject_id = ${ticketId}::uuid::text and m.sent_at is not null
      union all
      select 'moved', c.changed_at, null, 3
        from event_changes c
        join orders o on o.event_id = c.event_id and o.id = ${orderId} and o.paid_at < c.changed_at
       where c.event_id = ${eventId}
      union all
      select 'transferred', f.replaced_at, null, 3
        from former_numbers f where f.event_id = ${eventId} and f.ticket_id = ${ticketId}
      union all
      select 'checked-in', t.scanned_at, d.name, 4
        from tickets t left join check_in_devices d on d.event_id = t.event_id and d.id = t.scanned_by
       where t.event_id = ${eventId} and t.id = ${ticketId}
      union all
      select happened.what, happened.at, null, happened.place
        from refunds r
       cross join lateral (values (case when r.reason = 'withdrawn' then 'withdrawn' else 'refund-requested' end, r.created_at, 5),
                                  (case when r.reason <> 'withdrawn' then 'refunded' end, r.settled_at, 6),
                                  ('refund-failed', coalesce(r.failed_at, case when r.state = 'refused' then r.ended_at end), 6)) as happened (what, at, place)
       where r.event_id = ${eventId} and r.order_id = ${orderId} and coalesce(r.ticket_id, ${ticketId}) = ${ticketId} and happened.what is not null
      union all
      select happened.what, happened.at, null, happened.place
        from disputes d
       cross join lateral (values ('disputed', d.opened_at, 5), ('dispute-' || d.state, d.closed_at, 6)) as happened (what, at, place)
       where d.event_id = ${eventId} and d.order_id = ${orderId}
    ) as happenings
     where at is not null
     order by at, place`.execute(db);
  return rows;
}
