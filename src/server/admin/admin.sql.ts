/** Reads across the tables of all slices, and changes none. */
import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

interface ProductCounts {
  organizers: number;
  activeEvents: number;
  ticketsSold: number;
  grossCents: number;
}

export async function countsOfProduct(db: Db): Promise<ProductCounts> {
  const { rows } = await sql<ProductCounts>`
    select (select count(*) from users) as organizers,
           (select count(*) from events where cancelled_at is null and ends_at > business_now()) as active_events,
           count(*) as tickets_sold,
           coalesce(sum(price_cents), 0)::bigint as gross_cents
      from tickets where state in ('valid', 'scanned')`.execute(db);
  return firstOf(rows);
}

interface StuckWork {
  heldOrders: number;
  notices: number;
  mails: number;
  refunds: number;
  payouts: number;
  jobs: number;
}

/**
 * Work that should have been done by now: each job has had a few minutes to try again. A payout that waits for
 * its funds may take days, and a job that gave up is counted until it is removed.
 */
export async function countsOfStuckWork(db: Db): Promise<StuckWork> {
  const { rows } = await sql<StuckWork>`
    select (select count(*) from orders
             where state = 'held' and hold_expires_at < business_now() - interval '5 minutes') as held_orders,
           (select count(*) from webhook_inbox
             where processed_at is null and received_at < business_now() - interval '5 minutes') as notices,
           (select count(*) from mail_outbox
             where sent_at is null and created_at < business_now() - interval '15 minutes') as mails,
           (select count(*) from refunds
             where state = 'refused' or (state = 'claimed' and created_at < business_now() - interval '1 hour')) as refunds,
           (select count(*) from payouts
             where (state = 'requested' and requested_at < business_now() - interval '1 hour')
                or (state = 'awaiting-funds' and requested_at < business_now() - interval '10 days')) as payouts,
           (select count(*) from graphile_worker.jobs where attempts >= max_attempts) as jobs`.execute(db);
  return firstOf(rows);
}

/** Added up without their signs, so that two errors cannot hide each other. */
export async function unbalancedCents(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(abs(difference)), 0)::bigint as cents
      from (select sum(cents) as difference from ledger_entries group by event_id, transaction_id) as transactions`.execute(
    db,
  );
  return firstOf(rows).cents;
}

function firstOf<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (!row) throw new Error('a count answered no row');
  return row;
}
