import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

export interface OpenCheckout extends OrderRef {
  cartId: string | null;
  sessionId: string | null;
  sessionUrl: string | null;
  totalCents: number;
  formVersion: number | null;
  detailsAt: Date | null;
  /** In the checkout queue. */
  position: number | null;
  reservedUntil: Date;
  title: string;
  timezone: string;
  tickets: { ticketId: string; ticketName: string; quantity: number; promoCodeId: string | null }[];
}

/** Those of the orders whose tickets are reserved and not paid, newest first. */
export async function openCheckoutsAmong(db: Db, orders: readonly OrderRef[]): Promise<OpenCheckout[]> {
  if (orders.length === 0) return [];
  const { rows } = await sql<OpenCheckout>`
    select o.event_id, o.id as order_id, o.cart_id, o.session_id, o.session_url, o.total_cents, o.form_version, o.details_at, q.position,
           o.reservation_expires_at as reserved_until, e.title, e.timezone,
           (select json_agg(json_build_object('ticketId', l.ticket_type_id, 'ticketName', l.ticket_name, 'quantity', l.quantity,
                                              'promoCodeId', l.promo_code_id) order by l.position)
              from order_lines l where l.event_id = o.event_id and l.order_id = o.id) as tickets
      from unnest(${orders.map(({ eventId }) => eventId)}::text[], ${orders.map(({ orderId }) => orderId)}::uuid[]) as wanted (event_id, id)
      join orders o on o.event_id = wanted.event_id and o.id = wanted.id
      join events e on e.id = o.event_id
      left join checkout_queue q on q.event_id = o.event_id and q.order_id = o.id
     where o.state = 'reserved' and o.reservation_expires_at > business_now()
     order by o.created_at desc`.execute(db);
  return rows;
}
