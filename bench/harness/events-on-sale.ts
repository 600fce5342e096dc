/** Inserts events straight into the tables, in any number, and checks their stock afterwards. */

import type { Pool } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';

export interface BenchEvent {
  eventId: string;
  organizer: Actor;
  types: { id: string; name: string }[];
  /** A fifth off everything, for any number of tickets. */
  promoCodeId: string | null;
}

export interface EventsOnSale {
  events?: number;
  /** Ticket types of each event. */
  types?: number;
  /** Per ticket type. The default never sells out. */
  quantity?: number;
  priceCents?: number;
  /** That each type sells from. */
  sharedCapacities?: number;
  hasPromoCode?: boolean;
}

const NEVER_SOLD_OUT = 100_000_000;

/** Inserts one organizer's events, a month ahead. */
export async function putOnSale(
  pool: Pool,
  {
    events = 1,
    types = 1,
    quantity = NEVER_SOLD_OUT,
    priceCents = 24_00,
    sharedCapacities = 0,
    hasPromoCode = false,
  }: EventsOnSale = {},
): Promise<BenchEvent[]> {
  const authority = {
    role: 'owner',
    onlyEventIds: null,
    emailVerifiedAt: new Date(),
    isReauthenticated: true,
    lacksFactor: false,
    scopes: null,
    sessionId: null,
  } as const;
  const organizer: Actor = { userId: newId(), organizationId: newId(), ...authority };
  await pool.query(
    `with person as (
       insert into users (id, email, password_hash, email_verified_at, created_at)
       values ($1::uuid, $1 || '@example.com', 'none', now(), now())),
     organization as (
       insert into organizations (id, name, created_at) values ($2::uuid, 'Cooperage Nights', now()))
     insert into memberships (organization_id, user_id, role, joined_at) values ($2::uuid, $1::uuid, 'owner', now())`,
    [organizer.userId, organizer.organizationId],
  );
  const inserted = Array.from({ length: events }, () => ({
    eventId: newPublicId(),
    organizer,
    promoCodeId: hasPromoCode ? newId() : null,
    types: Array.from({ length: types }, (_, index) => ({ id: newId(), name: `Ticket ${index + 1}` })),
  }));
  await pool.query(
    `insert into events (id, record_id, organization_id, title, description, street, city, state, postal_code, timezone,
                         starts_at, ends_at, participants, latitude, longitude, attendant_code, fee_terms, created_at, published_at)
     select id, gen_random_uuid(), $2, 'Basement Brass', 'Six horns in a cellar.', '38 Withers St', 'Brooklyn', 'NY', '11211',
            'America/New_York', now() + interval '6 hours', now() + interval '9 hours', '200', 40.712, -73.953,
            '0123456789', $3, now(), now()
       from unnest($1::text[]) as inserted (id)`,
    [inserted.map(({ eventId }) => eventId), organizer.organizationId, JSON.stringify(STANDARD_TERMS)],
  );
  const rows = inserted.flatMap(({ eventId, types: ofEvent }) => ofEvent.map((type) => ({ eventId, ...type })));
  await pool.query(
    `insert into ticket_types (event_id, id, position, name, description, price_cents, quantity)
     select event_id, id, row_number() over (partition by event_id order by name), name, 'Standing room', $4, $5
       from unnest($1::text[], $2::uuid[], $3::text[]) as inserted (event_id, id, name)`,
    [rows.map((row) => row.eventId), rows.map((row) => row.id), rows.map((row) => row.name), priceCents, quantity],
  );
  for (let position = 0; position < sharedCapacities; position++) await shareCapacity(pool, inserted, position);
  for (const { eventId, promoCodeId } of inserted)
    if (promoCodeId !== null)
      await pool.query(
        `insert into promo_codes (event_id, id, code, key, kind, value, is_for_all, created_at)
         values ($1, $2, 'SPRING', 'SPR1NG', 'percent', 2000, true, now())`,
        [eventId, promoCodeId],
      );
  return inserted;
}

async function shareCapacity(pool: Pool, events: readonly BenchEvent[], position: number): Promise<void> {
  for (const { eventId, types } of events) {
    const id = newId();
    await pool.query(
      `insert into shared_capacities (event_id, id, position, name, capacity) values ($1, $2, $3::int, 'Hall ' || $3::int, $4)`,
      [eventId, id, position, NEVER_SOLD_OUT],
    );
    await pool.query(
      `insert into shared_capacity_members (event_id, ticket_type_id, shared_capacity_id, units)
       select $1, unnest($2::uuid[]), $3, 1`,
      [eventId, types.map((type) => type.id), id],
    );
    await pool.query('update ticket_types set shares_capacity = true where event_id = $1', [eventId]);
  }
}

const WRONG_STOCK = `
  with taken as (
    select l.event_id, l.ticket_type_id, sum(l.quantity) as tickets
      from order_lines l join orders o on o.event_id = l.event_id and o.id = l.order_id
     where o.state in ('reserved', 'paid') group by 1, 2)
  select format('%s of event %s: %s reserved, %s in orders, of %s', t.name, t.event_id, t.reserved, coalesce(tickets, 0), t.quantity) as wrong
    from ticket_types t left join taken on taken.event_id = t.event_id and ticket_type_id = t.id
   where t.reserved <> coalesce(tickets, 0) or t.reserved > t.quantity
  union all
  select format('%s of event %s: %s reserved, %s by its types', c.name, c.event_id, c.reserved, sum(t.reserved * m.units))
    from shared_capacities c
    join shared_capacity_members m on m.event_id = c.event_id and m.shared_capacity_id = c.id
    join ticket_types t on t.event_id = m.event_id and t.id = m.ticket_type_id
   group by c.event_id, c.id having c.reserved <> sum(t.reserved * m.units)
  union all
  select format('order %s: %s cents, its lines sum to %s', o.id, o.total_cents, sum(l.quantity * l.unit_price_cents))
    from orders o left join order_lines l on l.event_id = o.event_id and l.order_id = o.id
   group by o.event_id, o.id having o.total_cents is distinct from sum(l.quantity * l.unit_price_cents)
  limit 20`;

/**
 * Returns one message per ticket type whose counter disagrees with its orders, and per order that disagrees with its
 * lines.
 */
export async function wrongStock(pool: Pool): Promise<string[]> {
  const client = await pool.connect();
  try {
    // Reads everything ever sold, which can take longer than a request may.
    await client.query("set statement_timeout = '120s'");
    return (await client.query<{ wrong: string }>(WRONG_STOCK)).rows.map(({ wrong }) => wrong);
  } finally {
    client.release(true);
  }
}

/** Counts an event's orders by state: `{ reserved: 12, paid: 3 }`. */
export async function ordersOf(pool: Pool, eventId: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from orders where event_id = $1 group by state',
    [eventId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
