/** Guest lists of any length, inserted by SQL, for tests that need long ones. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/**
 * Sells `guests` tickets of the event's first type, two per order, numbered in order: the ticket of
 * `b00000007@example.com` is the seventh, and its confirmation number ends in 7.
 */
export async function sellMany(db: Db, eventId: string, guests: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (let sold = 0; sold < guests; sold += AT_ONCE)
      await sellFromTo(tx, { eventId, from: sold + 1, to: Math.min(guests, sold + AT_ONCE) });
  });
}

/** Even, so that no order spans two statements. */
const AT_ONCE = 10_000;
const FIRST_SALE_MS = 1_700_000_000_000;

async function sellFromTo(tx: Db, { eventId, from, to }: { eventId: string; from: number; to: number }) {
  const idOf = (n: 'i' | 'o') =>
    sql`(lpad(to_hex(${FIRST_SALE_MS}::bigint + ${sql.raw(n)}), 12, '0') || '7' || left(md5(${sql.raw(n)}::text), 3) || '8' || left(md5(${eventId}), 3) || right(md5(${eventId} || ${sql.raw(n)}), 12))::uuid`;
  await sql`
    insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, buyer_email, created_at, paid_at)
    select ${eventId}, ${idOf('o')}, 'paid', 0, now(), 'cs_' || ${eventId} || o, 'sam@example.com', now(), now()
      from generate_series((${from}::int + 1) / 2, (${to}::int + 1) / 2) o`.execute(tx);
  await sql`
    insert into order_lines (event_id, order_id, id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
    select ${eventId}, ${idOf('o')}, ${idOf('o')}, t.id, 1, t.name, t.price_cents, t.price_cents, 2
      from generate_series((${from}::int + 1) / 2, (${to}::int + 1) / 2) o
     cross join (select * from ticket_types where event_id = ${eventId} order by position limit 1) t`.execute(tx);
  await sql`
    insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
    select ${eventId}, ${idOf('i')}, ${idOf('o')}, ${idOf('o')}, t.id, (1000000000 + i)::text, t.name, t.price_cents,
           chr(97 + i % 26) || lpad(i::text, 8, '0') || '@example.com', now()
      from generate_series(${from}::int, ${to}::int) i
     cross join lateral (select (i + 1) / 2 as o) pair
     cross join (select * from ticket_types where event_id = ${eventId} order by position limit 1) t`.execute(tx);
}

/** Names every second guest that `sellMany` sold a ticket to. */
export async function nameMany(db: Db, eventId: string): Promise<void> {
  await sql`
    insert into order_guests (event_id, order_id, position, name, answers, ticket_id)
    select event_id, order_id, 2, (array['Ana', 'Bo', 'Émile', 'Sofia'])[1 + (i / 2) % 4] || ' ' || left(md5(i::text), 6), '{}', id
      from tickets cross join lateral (select right(confirmation_number, 8)::int as i) of_number
     where event_id = ${eventId} and i % 2 = 0 and confirmation_number like '100%'`.execute(db);
}

/** Sells one ticket of the event's first type at each moment. */
export async function sellAt(db: Db, eventId: string, moments: readonly Date[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    await sellFromTo(tx, { eventId, from: before.length + 1, to: before.length + moments.length });
    // Issued once more, because no ticket changes when it was.
    const known = new Set(before.map(({ id }) => id));
    const all = await tx.selectFrom('tickets').where('eventId', '=', eventId).selectAll().orderBy('id').execute();
    const tickets = all.filter(({ id }) => !known.has(id));
    const ids = tickets.map(({ id }) => id);
    await tx.deleteFrom('tickets').where('eventId', '=', eventId).where('id', 'in', ids).execute();
    const issued = tickets.map((ticket, index) => ({ ...ticket, issuedAt: moments[index] ?? ticket.issuedAt }));
    await tx.insertInto('tickets').values(issued).execute();
  });
}
