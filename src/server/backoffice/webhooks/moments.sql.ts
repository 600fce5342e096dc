/**
 * Finds what happened in the rows that it is stored in, so that a sale, a scan and a refund write nothing for webhooks. A row is found by the
 * transaction that wrote it: readings go up to the oldest open one, and meet its rows again next time.
 */
import { sql } from 'kysely';
import { DELIVERY_DAYS } from '#domain/accounts/webhooks.ts';
import { type ChangedSince, isChanged } from '#server/backoffice/changes/transactions.sql.ts';
import type { Db } from '#server/platform/database.ts';

interface Reading {
  organizationId: string;
  upTo: string;
}

/** The longest overdue organization that has endpoints, of those due at an instant, locked against other processes. */
export async function claimReading(tx: Db, dueAt: string): Promise<Reading | undefined> {
  const { rows } = await sql<Reading>`
    select r.organization_id, r.up_to::text as up_to
      from webhook_readings r
     where r.next_at <= ${dueAt}::timestamptz
       and exists (select from webhook_endpoints w where w.organization_id = r.organization_id and w.ended_at is null)
     order by r.next_at limit 1
       for update skip locked`.execute(tx);
  return rows[0];
}

/** Of the database, whose clock the readings are due by. */
export async function clockOf(db: Db): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db);
  return rows[0]?.now ?? '-infinity';
}

export async function endReading(
  tx: Db,
  { organizationId, upTo }: Reading,
  { pauseMs }: { pauseMs: number },
): Promise<void> {
  await sql`
    update webhook_readings
       set up_to = ${upTo}::text::xid8, next_at = clock_timestamp() + make_interval(secs => ${pauseMs / 1000})
     where organization_id = ${organizationId}`.execute(tx);
}

/** Returns how many are new. A moment that was found before has its delivery. */
export async function addDeliveries(tx: Db, organizationId: string, since: ChangedSince): Promise<number> {
  const own = sql`join events e on e.id = x.event_id and e.organization_id = ${organizationId}`;
  const { rows } = await sql<{ added: number }>`
    with moments (type, event_id, object_id, subject, at) as (
      select 'order.paid', x.event_id, x.id::text, x.id::text, x.paid_at
        from orders x ${own} where x.state = 'paid' and ${isChanged('x', since)}
      union all
      select 'order.unfulfillable', x.event_id, x.order_id::text, x.order_id::text, x.created_at
        from refunds x ${own} where x.reason = 'unfulfillable-order' and ${isChanged('x', since)}
      union all
      select 'refund.sent', x.event_id, x.id::text, x.order_id::text, x.sent_at
        from refunds x ${own} where x.sent_at is not null and ${isChanged('x', since)}
      union all
      select 'ticket.checked_in', x.event_id, x.id::text, x.order_id::text, x.scanned_at
        from tickets x ${own} where x.scanned_at is not null and ${isChanged('x', since)}
      union all
      select moment.type, x.event_id, t.id::text, t.order_id::text, moment.at
        from undone_check_ins x ${own} join tickets t on t.event_id = x.event_id and t.id = x.ticket_id
       cross join lateral (
         values ('ticket.checked_in', x.scanned_at), ('ticket.check_in_undone', x.undone_at)) as moment (type, at)
       where ${isChanged('x', since)}
      union all
      select 'ticket.transferred', x.event_id, t.id::text, t.order_id::text, x.replaced_at
        from former_numbers x ${own} join tickets t on t.event_id = x.event_id and t.id = x.ticket_id
       where ${isChanged('x', since)}
      union all
      select 'event.updated', x.event_id, x.event_id, x.event_id, x.changed_at
        from event_page_versions x ${own} where x.version > 1 and ${isChanged('x', since)}
      union all
      select moment.type, x.id, x.id, x.id, moment.at
        from events x
       cross join lateral (
         values ('event.published', x.published_at), ('event.cancelled', x.cancelled_at)) as moment (type, at)
       where x.organization_id = ${organizationId} and moment.at is not null and ${isChanged('x', since)}
      union all
      select 'payout.paid', x.event_id, x.id::text, x.event_id, x.paid_at
        from payouts x ${own} where x.paid_at is not null and ${isChanged('x', since)}
    ), added as (
      insert into webhook_deliveries (endpoint_id, id, type, event_id, object_id, subject, occurred_at, next_at)
      select w.id, new_row_id(), m.type, m.event_id, m.object_id, m.subject, m.at, business_now()
        from moments m
        join webhook_endpoints w on w.organization_id = ${organizationId} and w.ended_at is null
                                and m.type = any (w.types) and (w.only_event_ids is null or m.event_id = any (w.only_event_ids))
       where m.at >= w.created_at
         -- Of older ones, the log no longer knows whether they were sent.
         and m.at > business_now() - make_interval(days => ${DELIVERY_DAYS})
       order by m.at
          on conflict (endpoint_id, type, object_id, occurred_at) do nothing
      returning 1)
    select count(*)::int as added from added`.execute(tx);
  return rows[0]?.added ?? 0;
}
