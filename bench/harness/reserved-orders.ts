/** Inserts any number of orders with an open payment page, as the checkout leaves them. */
import type { Pool } from '#server/platform/database.ts';
import type { ReservedOrder } from '#tests/support/reserved-order.ts';
import type { BenchEvent } from './events-on-sale.ts';

const ROWS = `
  with carts as materialized (
    select uuidv7() as id, 1 + floor(random() * 4)::int as quantity from generate_series(1, $3::int)
  ), ordered as (
    insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, created_at)
    select t.event_id, c.id, 'reserved', t.price_cents * c.quantity, business_now() + interval '1 day', 'cs_test_' || c.id, business_now()
      from carts c cross join ticket_types t where t.event_id = $1 and t.id = $2
    returning event_id, id, session_id, total_cents
  ), lines as (
    insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
    select t.event_id, c.id, t.id, 1, t.name, t.price_cents, t.price_cents, c.quantity
      from carts c cross join ticket_types t where t.event_id = $1 and t.id = $2
  ), reserved as (
    update ticket_types set reserved = reserved + (select sum(quantity) from carts) where event_id = $1 and id = $2
  )
  select event_id as "eventId", id as "orderId", session_id as "sessionId", total_cents as "totalCents" from ordered`;

/** Reserves 1 to 4 tickets of the event's first type for each order. */
export async function insertReservedOrders(
  pool: Pool,
  { eventId, types }: BenchEvent,
  count: number,
): Promise<ReservedOrder[]> {
  return (await pool.query<ReservedOrder>(ROWS, [eventId, types[0]?.id, count])).rows;
}
