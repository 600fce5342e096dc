/** Sales of a month ago, complete in every table, so that a database has the size of a busy one. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';

const PER_EVENT = 50_000;
const AT_ONCE = 5_000;
export const HISTORY_CENTS = 24_00;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Two tickets an order. */
export async function sellHistory(db: Db, organizationId: string, tickets: number): Promise<void> {
  const now = new Date();
  for (let sold = 0; sold < tickets; sold += PER_EVENT) {
    const eventId = newPublicId();
    const quantity = Math.min(PER_EVENT, tickets - sold);
    const endsAt = new Date(now.getTime() + 60 * DAY_MS);
    const types = [{ name: 'Floor', priceCents: HISTORY_CENTS, quantity }];
    await insertEvent(db, { now, eventId, organizationId, title: 'Of a month ago', endsAt, types });
    for (let from = 0; from < quantity; from += AT_ONCE)
      await sell(db, eventId, Math.min(AT_ONCE, quantity - from) / 2);
  }
  // As a database of this size has been.
  for (const table of ['orders', 'order_lines', 'tickets', 'ledger_entries', 'email_outbox', 'ticket_total_changes'])
    await sql`analyze ${sql.table(table)}`.execute(db);
  const cents = tickets * HISTORY_CENTS;
  // Stripe's side of all of them, older than any comparison.
  await sql`
    insert into balance_transactions (id, type, payment_id, net_cents, created_at)
    values ('txn_history', 'charge', 'pi_history', ${cents}, now() - interval '40 days')`.execute(db);
}

async function sell(db: Db, eventId: string, orders: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`create temp table sold on commit drop as
                select gen_random_uuid() as id, 'cs_history_' || gen_random_uuid() as session from generate_series(1, ${orders})`.execute(
      tx,
    );
    // Without it, the statements below scan the growing tables once per order.
    await sql`analyze sold`.execute(tx);
    await sql`
      insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, created_at)
      select ${eventId}, id, 'reserved', ${2 * HISTORY_CENTS}, now(), session, now() - interval '30 days' from sold`.execute(
      tx,
    );
    await sql`
      insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
      select ${eventId}, s.id, t.id, 1, t.name, t.price_cents, t.price_cents, 2
        from sold s cross join ticket_types t where t.event_id = ${eventId}`.execute(tx);
    await sql`select change_stock(array[${eventId}], array_agg(id), array[${2 * orders}::integer]) from ticket_types where event_id = ${eventId}`.execute(
      tx,
    );
    await sql`
      select sell_orders(array_agg(${eventId}::text), array_agg(id), array_agg(session), array_agg(null::text),
                         array_agg(id || '@example.com'), array_agg(null::text), array_agg(${2 * HISTORY_CENTS}::integer), array_agg(0),
                         array_agg(null::bytea), now() - interval '30 days') from sold`.execute(tx);
    await sql`update email_outbox set state = 'sent', sent_at = created_at
                where kind = 'tickets' and subject_id in (select id::text from sold)`.execute(tx);
    // Those of this transaction.
    await sql`delete from graphile_worker._private_jobs where created_at = now()`.execute(tx);
  });
}
