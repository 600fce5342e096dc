/**
 * Baselines for reservations: what the app does for a cart of one ticket type, as a single SQL statement sent by
 * pgbench. It writes the same rows under the same indexes, keys and constraints.
 *
 * Kept as fast as possible: it locks the event's row only through the foreign key, and updates the counter as late as a
 * single statement allows.
 */
import type { Sample } from './benchmark.ts';
import type { BenchEvent } from './events-on-sale.ts';
import { baselineName, runBaseline } from './pgbench.ts';
import type { Shop } from './shop.ts';

const CONNECTIONS = 16;
const BATCH = 64;

export const ONE_STATEMENT = baselineName('one statement', CONNECTIONS);
export const BATCHES_OF_64 = baselineName('batches of 64', 1);

const RESERVATION_INTERVAL = "interval '31 minutes'";

export const oneStatement = (event: BenchEvent) => `
  with sale as (
    select id, business_now() as moment from events
     where id = '${event.eventId}' and cancelled_at is null and ends_at > business_now()
  ), taken as (
    update ticket_types t set reserved = t.reserved + :quantity from sale
     where t.event_id = sale.id and t.id = '${event.types[0]?.id}' and t.removed_at is null
       and t.quantity - t.reserved >= :quantity
    returning t.event_id, t.id, t.name, t.price_cents, sale.moment
  ), ordered as (
    insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at)
    select event_id, uuidv7(), 'reserved', price_cents * :quantity, moment + ${RESERVATION_INTERVAL}, moment from taken
    returning event_id, id
  )
  insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
  select o.event_id, o.id, t.id, 1, t.name, t.price_cents, t.price_cents, :quantity from ordered o cross join taken t`;

/** 64 carts of 1 to 4 tickets at once, all or nothing. */
export const batchOf64 = (event: BenchEvent) => `
  with carts as materialized (
    select uuidv7() as id, 1 + floor(random() * 4)::int as quantity from generate_series(1, ${BATCH})
  ), sale as (
    select id, business_now() as moment from events
     where id = '${event.eventId}' and cancelled_at is null and ends_at > business_now()
  ), taken as (
    update ticket_types t set reserved = t.reserved + wanted.tickets
      from sale, (select sum(quantity)::int as tickets from carts) wanted
     where t.event_id = sale.id and t.id = '${event.types[0]?.id}' and t.removed_at is null
       and t.quantity - t.reserved >= wanted.tickets
    returning t.event_id, t.id, t.name, t.price_cents, sale.moment
  ), ordered as (
    insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at)
    select t.event_id, c.id, 'reserved', t.price_cents * c.quantity, t.moment + ${RESERVATION_INTERVAL}, t.moment from taken t cross join carts c
    returning event_id, id
  )
  insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
  select o.event_id, o.id, t.id, 1, t.name, t.price_cents, t.price_cents, c.quantity from ordered o join carts c using (id) cross join taken t`;

/** Reservations per second with the single statement. Needs its own event in the subject's database. */
export function runOneStatement(shop: Shop, event: BenchEvent, seconds: number): Promise<Sample> {
  const { connectionString } = shop;
  return runBaseline({ statement: oneStatement(event), connectionString, connections: CONNECTIONS, seconds });
}

/** Reservations per second in batches of 64 over one connection: the limit of the tables. */
export function runBatchesOf64(shop: Shop, event: BenchEvent, seconds: number): Promise<Sample> {
  const { connectionString } = shop;
  return runBaseline({ statement: batchOf64(event), connectionString, connections: 1, seconds, worth: BATCH });
}
