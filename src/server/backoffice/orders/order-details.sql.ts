/** One order, across the tables of all modules. */
import { sql } from 'kysely';
import { type OrderEmail, orderEmails } from '#contract/app/sales/orders.ts';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

export async function eventOfOrder(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('events as e')
    .innerJoin('orders as o', 'o.eventId', 'e.id')
    .leftJoin('eventPageVersions as v', (join) =>
      join.onRef('v.eventId', '=', 'o.eventId').onRef('v.version', '=', 'o.pageVersion'),
    )
    .where('e.id', '=', eventId)
    .where('o.id', '=', orderId)
    .select(['e.timezone', 'e.latestEndsAt', 'e.cancelledAt', 'e.payoutRequestedAt', 'e.feeTerms'])
    .select(['v.version as pageVersion', 'v.changedAt as pageSince'])
    .select(
      sql<boolean>`exists (select from event_page_versions l
        where l.event_id = o.event_id and l.is_listed and l.version > o.page_version)`.as('hasPageChanged'),
    )
    .select(['o.state as orderState', sql<number>`coalesce(o.received_cents, o.total_cents)`.as('chargedCents')])
    .executeTakeFirst();
}

export const linesOfOrder = (db: Db, { eventId, orderId }: OrderRef) =>
  db
    .selectFrom('orderLines as l')
    .leftJoin('promoCodes as c', (join) =>
      join.onRef('c.eventId', '=', 'l.eventId').onRef('c.id', '=', 'l.promoCodeId'),
    )
    .where('l.eventId', '=', eventId)
    .where('l.orderId', '=', orderId)
    .select(['l.ticketName', 'l.quantity', 'l.unitPriceCents', 'l.discountCents', 'c.code as promoCode'])
    .orderBy('l.position')
    .orderBy('l.promoCodeId')
    .execute();

/** Oldest first. */
export const refundsOfOrder = (db: Db, { eventId, orderId }: OrderRef) =>
  db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('orderId', '=', orderId)
    .select(['id', 'ticketId', 'cents', 'reason', 'state', 'note', 'createdAt'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();

/** Tickets above $0 that count for the fee rate of the event. */
export async function paidTicketsOf(db: Db, eventId: string): Promise<number> {
  const { tickets } = await db
    .selectFrom('ticketTotalsNow')
    .where('eventId', '=', eventId)
    .where('priceCents', '>', 0)
    .where('isDisputed', '=', false)
    .select(sql<number>`coalesce(sum(sold), 0)::int`.as('tickets'))
    .executeTakeFirstOrThrow();
  return tickets;
}

/** Sent to the address that the order has now, or had. */
export async function emailsToBuyer(db: Db, { eventId, orderId }: OrderRef): Promise<{ kind: OrderEmail; at: Date }[]> {
  const { rows } = await sql<{ kind: OrderEmail; at: Date }>`
    select m.kind, m.sent_at as at
      from (select ${orderId}::text as id
            union all select t.id::text from tickets t
                       where t.event_id = ${eventId} and t.order_id = ${orderId} and t.transferred_count = 0
            union all select r.id::text from refunds r where r.event_id = ${eventId} and r.order_id = ${orderId}
            union all select ${eventId} || ' ' || lower(o.buyer_email) from orders o where o.event_id = ${eventId} and o.id = ${orderId}
            union all select c.id || ' ' || lower(o.buyer_email)
                        from orders o join event_changes c on c.event_id = o.event_id and c.changed_at > o.paid_at
                       where o.event_id = ${eventId} and o.id = ${orderId}) as subject
     cross join unnest(${[...orderEmails]}::text[]) as wanted (kind)
      join email_outbox m on m.kind = wanted.kind and m.subject_id = subject.id
     where m.sent_at is not null
     order by m.sent_at, m.id`.execute(db);
  return rows;
}
