/** Refunds of cancelled events: tickets to claim, tickets to retry, and progress counts. */

import { sql } from 'kysely';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

/** Orders of a cancelled event with tickets whose refund is not claimed yet. */
export async function ordersToRefund(db: Db, eventId: string, limit: number): Promise<string[]> {
  const orders = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('state', 'in', SOLD_STATES)
    .select('orderId')
    .distinct()
    .orderBy('orderId')
    .limit(limit)
    .execute();
  return orders.map(({ orderId }) => orderId);
}

/** Locks the orders before the tickets, in the same order as refunding a single ticket. */
export async function lockTicketsToRefund(
  db: Db,
  eventId: string,
  orderIds: readonly string[],
  states: readonly ('valid' | 'scanned' | 'refunding')[],
) {
  if (orderIds.length === 0) return [];
  const orders = db.selectFrom('orders').where('eventId', '=', eventId).where('id', 'in', orderIds);
  await orders.select('id').orderBy('id').forNoKeyUpdate().execute();
  return (
    db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .where('orderId', 'in', orderIds)
      .where('state', 'in', states)
      .select(['id', 'orderId', 'priceCents', 'buyerEmail', sql<Date>`business_now()`.as('now')])
      // Of a transferred ticket, whose payer learns it as well.
      .select(({ selectFrom }) =>
        selectFrom('orders as o')
          .whereRef('o.eventId', '=', 'tickets.eventId')
          .whereRef('o.id', '=', 'tickets.orderId')
          .where('tickets.transferredCount', '>', 0)
          .select('o.buyerEmail')
          .as('payerEmail'),
      )
      .orderBy('id')
      .forUpdate()
      .execute()
  );
}

/**
 * Tickets of cancelled events whose declined refund is due for a retry: one hour after the first denial, then with
 * exponential backoff. Payments with an open or lost dispute are not retried.
 */
export async function ticketsToRetry(db: Db, { maxAttempts, limit }: { maxAttempts: number; limit: number }) {
  const { rows } = await sql<{ eventId: string; orderId: string; ticketId: string }>`
    select r.event_id, r.order_id, r.ticket_id
      from refunds r
      join events e on e.id = r.event_id and e.cancelled_at is not null
      join tickets t on t.event_id = r.event_id and t.id = r.ticket_id and t.state = 'refunding'
     where r.state = 'refused'
       and not exists (select 1 from refunds active
                        where active.event_id = r.event_id and active.ticket_id = r.ticket_id
                          and active.state not in ('refused', 'restored'))
       and not exists (select 1 from disputes d
                        where d.event_id = r.event_id and d.order_id = r.order_id and d.state in ('open', 'lost'))
     group by r.event_id, r.order_id, r.ticket_id
    having count(*) < ${maxAttempts}
       and max(r.ended_at) <= business_now() - interval '1 hour' * power(2, count(*) - 1)
     order by max(r.ended_at)
     limit ${limit}`.execute(db);
  return rows;
}

export async function hasActiveRefund(db: Db, eventId: string, ticketId: string): Promise<boolean> {
  const refund = await db
    .selectFrom('refunds')
    .where('eventId', '=', eventId)
    .where('ticketId', '=', ticketId)
    .where('state', 'not in', ['refused', 'restored'])
    .select('id')
    .executeTakeFirst();
  return refund !== undefined;
}

export interface CancellationCount {
  eventId: string;
  refunds: number;
  refunded: number;
  failed: number;
}

/** Counts each paid ticket's latest refund. Excludes tickets refunded before the cancellation. */
export async function cancellationCounts(db: Db, eventIds: readonly string[]): Promise<CancellationCount[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<CancellationCount>`
    select t.event_id, count(*)::int as refunds,
           (count(*) filter (where r.state = 'sent'))::int as refunded,
           (count(*) filter (where r.state in ('refused', 'failed')))::int as failed
      from tickets t
      join events e on e.id = t.event_id
      left join (
        select distinct on (event_id, ticket_id) event_id, ticket_id, state from refunds
         where event_id in (${sql.join(eventIds)}) and reason = 'event-cancelled'
         order by event_id, ticket_id, created_at desc, id desc) r on r.event_id = t.event_id and r.ticket_id = t.id
     where t.event_id in (${sql.join(eventIds)})
       and e.cancelled_at is not null
       and t.price_cents > 0
       and (counts_as_sold(t.state) or r.state is not null)
     group by t.event_id`.execute(db);
  return rows;
}
