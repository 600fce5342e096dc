import { sql } from 'kysely';
import type { Happening } from '#contract/app/sales/guest-table.ts';
import type { Db } from '#server/platform/database.ts';

interface TimelineRow {
  what: Happening;
  at: Date;
  by: string | null;
  /** Null for what happened to the order. */
  ticketId: string | null;
}

/** What happened to tickets of an order and to the order, oldest first. */
export async function timelineOf(
  db: Db,
  { eventId, orderId, ticketIds }: { eventId: string; orderId: string; ticketIds: readonly string[] },
): Promise<TimelineRow[]> {
  const tickets = sql`${[...ticketIds]}::uuid[]`;
  const { rows } = await sql<TimelineRow>`
    select what, at, by, ticket_id from (
      select case when o.comp_batch_id is null then 'bought' else 'added' end as what, o.paid_at as at, null as by, null::uuid as ticket_id, 1 as place
        from orders o where o.event_id = ${eventId} and o.id = ${orderId}
      union all
      select 'emailed', m.sent_at, null, null, 2
        from email_outbox m where m.kind = 'tickets' and m.subject_id = ${orderId}::uuid::text
         -- The buyer's later emails leave transferred tickets out.
         and exists (select from unnest(${tickets}) as sent (id)
                      where not exists (select from former_numbers f
                                         where f.event_id = ${eventId} and f.ticket_id = sent.id and f.replaced_at <= m.sent_at))
      union all
      select 'resent', m.sent_at, null, again.id, 2
        from unnest(${tickets}) as again (id)
        join email_outbox m on m.kind = 'ticket' and m.subject_id = again.id::text and m.sent_at is not null
      union all
      select 'moved', c.changed_at, null, null, 3
        from event_changes c
        join orders o on o.event_id = c.event_id and o.id = ${orderId} and o.paid_at < c.changed_at
       where c.event_id = ${eventId}
      union all
      select 'transferred', f.replaced_at, null, f.ticket_id, 3
        from former_numbers f where f.event_id = ${eventId} and f.ticket_id = any (${tickets})
      union all
      select 'checked-in', t.scanned_at, d.name, t.id, 4
        from tickets t left join check_in_devices d on d.event_id = t.event_id and d.id = t.scanned_by
       where t.event_id = ${eventId} and t.id = any (${tickets})
      union all
      select happened.what, happened.at, null, r.ticket_id, happened.place
        from refunds r
       cross join lateral (values (case r.reason when 'withdrawn' then 'withdrawn' when 'organizer' then 'refund-made' else 'refund-requested' end, r.created_at, 5),
                                  (case when r.reason <> 'withdrawn' then 'refunded' end, r.settled_at, 6),
                                  ('refund-failed', coalesce(r.failed_at, case when r.state = 'refused' then r.ended_at end), 6)) as happened (what, at, place)
       where r.event_id = ${eventId} and r.order_id = ${orderId} and (r.ticket_id is null or r.ticket_id = any (${tickets})) and happened.what is not null
      union all
      select happened.what, happened.at, null, null, happened.place
        from disputes d
       cross join lateral (values ('disputed', d.opened_at, 5), ('dispute-' || d.state, d.closed_at, 6)) as happened (what, at, place)
       where d.event_id = ${eventId} and d.order_id = ${orderId}
    ) as happenings
     where at is not null
     order by at, place, ticket_id`.execute(db);
  return rows;
}
