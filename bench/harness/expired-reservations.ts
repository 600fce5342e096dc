/** Inserts any number of expired reservations without a payment page, as the checkout leaves them. */
import type { Pool } from '#server/platform/database.ts';
import type { BenchEvent } from './events-on-sale.ts';

const ROWS = `
  with carts as materialized (
    select uuidv7() as id, 1 + floor(random() * 4)::int as quantity, random() as age from generate_series(1, $3::int)
  ), ordered as (
    insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at)
    select t.event_id, c.id, 'reserved', t.price_cents * c.quantity, business_now() - c.age * interval '1 minute',
           business_now() - interval '5 minutes'
      from carts c cross join ticket_types t where t.event_id = $1 and t.id = $2
  ), lines as (
    insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
    select t.event_id, c.id, t.id, 1, t.name, t.price_cents, t.price_cents, c.quantity
      from carts c cross join ticket_types t where t.event_id = $1 and t.id = $2
  )
  update ticket_types set reserved = reserved + (select sum(quantity) from carts) where event_id = $1 and id = $2`;

/** In batches, to stay below the statement timeout of a request. */
const BATCH = 10_000;

/** 1 to 4 tickets of the event's first type each. */
export async function insertExpiredReservations(
  pool: Pool,
  { eventId, types }: BenchEvent,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= BATCH)
    await pool.query(ROWS, [eventId, types[0]?.id, Math.min(BATCH, left)]);
}
