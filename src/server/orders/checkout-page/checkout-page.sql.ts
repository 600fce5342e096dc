import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { TicketToAsk } from '#domain/sales/guest-form.ts';
import type { Db } from '#server/platform/database.ts';

/** With the proof of its buyer's address, if it is free. */
export function findCheckout(db: Db, { eventId, orderId }: OrderRef) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .leftJoin('emailProofs as p', (join) => join.onRef('p.eventId', '=', 'o.eventId').onRef('p.orderId', '=', 'o.id'))
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select([
      'o.state',
      'o.sessionId',
      'o.totalCents',
      'o.createdAt',
      'o.reservationExpiresAt',
      'o.formVersion',
      'o.detailsAt',
    ])
    .select(['p.email', 'p.sentAt', 'e.title', 'e.city', 'e.timezone', 'e.startsAt'])
    .executeTakeFirst();
}

export interface TicketOfOrder extends TicketToAsk {
  ticketName: string;
}

/** One row per ticket, as `tickets_of_order` will count them. */
export async function ticketsToAsk(db: Db, { eventId, orderId }: OrderRef): Promise<TicketOfOrder[]> {
  const { rows } = await sql<TicketOfOrder>`
    select l.ticket_type_id, l.ticket_name, t.is_add_on
      from order_lines l
      join ticket_types t on t.event_id = l.event_id and t.id = l.ticket_type_id
     cross join generate_series(1, l.quantity)
     where l.event_id = ${eventId} and l.order_id = ${orderId}
     order by l.position`.execute(db);
  return rows;
}
