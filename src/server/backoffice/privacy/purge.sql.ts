/** Removes expired data page by page, in short statements that never hold locks for long during a sale. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { DEMO_ADDRESS } from '#server/platform/demo-address.ts';
import { BEFORE_ALL_IDS } from '#server/platform/ids.ts';

/** `last` is the page's last key, or null if there are no more rows. */
export interface SweptPage {
  last: string | null;
  removed: number;
}

export type Sweep = (db: Db, page: { before: Date; after: string; limit: number }) => Promise<SweptPage>;

export async function sweepPage(db: Db, statement: RawBuilder<SweptPage>): Promise<SweptPage> {
  const { rows } = await statement.execute(db);
  return rows[0] ?? { last: null, removed: 0 };
}

/** Unprocessed events stay, however old. */
export const sweepWebhookEvents: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id, processed_at from webhook_events where id > ${after} order by id limit ${limit}),
         gone as (delete from webhook_events w using page p
                   where w.id = p.id and w.processed_at < ${before} returning w.id)
    select (select max(id) from page) as last, (select count(*)::int from gone) as removed`,
  );

export const sweepEmailCopies: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from inbox_messages where id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}),
         gone as (delete from inbox_messages m using page p
                   where m.id = p.id and m.received_at < ${before} returning m.id)
    select (select id::text from page order by id desc limit 1) as last, (select count(*)::int from gone) as removed`,
  );

/**
 * Replaces an address in a subject with the row's id, which keeps the subject unique. Emails that were never sent expire
 * by their creation time and are not retried. Each part of the union has its own index.
 */
export const sweepEmailAddresses: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (
           (select id from email_outbox where sent_at < ${before} and to_address <> '' order by sent_at limit ${limit})
           union all
           (select id from email_outbox
             where state <> 'sent' and created_at < ${before} and to_address <> '' order by created_at limit ${limit})),
         gone as (update email_outbox m
                     set to_address = '', params = '{}', state = case m.state when 'queued' then 'not-sent' else m.state end,
                         subject_id = case when position('@' in subject_id) = 0 then subject_id
                                           else split_part(subject_id, ' ', 1) || ' ' || m.id end
                    from page p where m.id = p.id returning m.id)
    select (select max(id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );

/** The limits per recipient look back no further. */
export const sweepRecipientHashes: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from email_outbox where recipient_hash is not null and created_at < ${before} limit ${limit}),
         gone as (update email_outbox m set recipient_hash = null from page p where m.id = p.id returning m.id)
    select (select max(id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );

/** The next orders by primary key: another index would slow down every expired reservation. */
export function orderPage(after: string, limit: number) {
  const [eventId, orderId] = after.split(' ');
  return sql`select event_id, id from orders
              where (event_id, id) > (${eventId ?? ''}, ${orderId ?? BEFORE_ALL_IDS}::uuid)
              order by event_id, id limit ${limit}`;
}

export const LAST_ORDER = sql`(select event_id || ' ' || id from page order by event_id desc, id desc limit 1)`;

/** The order itself stays for late payments. */
export const sweepUnpaidOrders: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         gone as (update orders o set session_url = null, cart_id = null, buyer_email = null
                    from page p
                   where o.event_id = p.event_id and o.id = p.id and o.state = 'expired' and o.created_at < ${before}
                     and (o.session_url is not null or o.cart_id is not null or o.buyer_email is not null)
                  returning o.id)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

export const sweepCardHashes: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         gone as (update orders o set card_hash = null
                    from page p join events e on e.id = p.event_id and settles_at(e.latest_ends_at) < ${before}
                   where o.event_id = p.event_id and o.id = p.id and o.card_hash is not null
                  returning o.id)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

/** Of disputes that the bank has decided. */
export const sweepStatements: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select t.event_id, t.dispute_id
                    from dispute_statements t join disputes d on d.event_id = t.event_id and d.id = t.dispute_id
                   where d.closed_at <= ${before} limit ${limit}),
         gone as (delete from dispute_statements t using page p
                   where t.event_id = p.event_id and t.dispute_id = p.dispute_id returning t.dispute_id)
    select (select max(dispute_id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );

/** Skips an order that a payment has locked. One with a payment stays for the ledger, whatever became of it. */
export const deleteExpiredOrders: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (${orderPage(after, limit)}),
         unpaid as (
           select o.event_id, o.id from orders o join page p on p.event_id = o.event_id and p.id = o.id
            where o.state = 'expired' and o.payment_id is null and o.received_cents is null and o.created_at < ${before}
              and not exists (select from refunds r where r.event_id = o.event_id and r.order_id = o.id)
              and not exists (select from disputes d where d.event_id = o.event_id and d.order_id = o.id)
              and not exists (select from checkout_queue q where q.event_id = o.event_id and q.order_id = o.id)
              for update of o skip locked),
         lines as (delete from order_lines l using unpaid u where l.event_id = u.event_id and l.order_id = u.id),
         gone as (delete from orders o using unpaid u where o.event_id = u.event_id and o.id = u.id returning o.id)
    select ${LAST_ORDER} as last, (select count(*)::int from gone) as removed`,
  );

/** The delete rechecks the columns of the locked user, so an account that is verified concurrently stays. */
export const sweepUnverifiedAccounts: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from users where id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}),
         gone as (delete from users u using page p, memberships m
                   where u.id = p.id and m.user_id = u.id and m.role = 'owner' and u.email_verified_at is null and u.erased_at is null and not u.is_admin
                     and u.created_at < ${before} and lower(u.email) <> ${DEMO_ADDRESS}
                     and not exists (select from events where organization_id = m.organization_id)
                     and not exists (select from payout_accounts where organization_id = m.organization_id)
                     and not exists (select from affiliate_codes
                                      where owner_id = m.organization_id or redeemed_by = m.organization_id)
                     and not exists (select from operator_actions where operator_id = u.id)
                  returning u.id, m.organization_id),
         emptied as (delete from organizations o using gone where o.id = gone.organization_id)
    select (select id::text from page order by id desc limit 1) as last, (select count(*)::int from gone) as removed`,
  );

/** Once Stripe has verified the account, only the fact that the organizer was old enough is retained. */
export const sweepBirthDates: Sweep = (db, { before, after, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from users where id > ${after || BEFORE_ALL_IDS} order by id limit ${limit}),
         gone as (update users u set date_of_birth = null, adult_confirmed_at = ${before}
                    from page p
                   where u.id = p.id and u.date_of_birth is not null and lower(u.email) <> ${DEMO_ADDRESS}
                     and exists (select from memberships m join payout_accounts a on a.organization_id = m.organization_id
                                  where m.user_id = u.id and m.role = 'owner' and a.is_active)
                  returning u.id)
    select (select id::text from page order by id desc limit 1) as last, (select count(*)::int from gone) as removed`,
  );

/** Expires after the event's end. Recently used rows stay: a removed device's row denies it as long as its grant is valid. */
const sweepOfCheckIn =
  (table: 'check_in_devices' | 'offline_scans', usedAt: 'seen_at' | 'received_at'): Sweep =>
  (db, { before, after, limit }) => {
    const [eventId, id] = after.split(' ');
    return sweepPage(
      db,
      sql`
      with page as (
             select event_id, id from ${sql.table(table)}
              where (event_id, id) > (${eventId ?? ''}, ${id ?? BEFORE_ALL_IDS}::uuid)
              order by event_id, id limit ${limit}),
           gone as (delete from ${sql.table(table)} d using page p, events e
                     where d.event_id = p.event_id and d.id = p.id and e.id = d.event_id
                       and e.latest_ends_at < ${before} and d.${sql.ref(usedAt)} < ${before}
                    returning d.id)
      select (select event_id || ' ' || id from page order by event_id desc, id desc limit 1) as last,
             (select count(*)::int from gone) as removed`,
    );
  };

export const sweepCheckInDevices = sweepOfCheckIn('check_in_devices', 'seen_at');
export const sweepOfflineScans = sweepOfCheckIn('offline_scans', 'received_at');

/** Audit events never change, but their networks mean nothing without the key of their year. */
export const sweepNetworkKeys: Sweep = (db, { before }) =>
  sweepPage(
    db,
    sql`
    with gone as (delete from network_keys where made_at < ${before} returning year)
    select null as last, (select count(*)::int from gone) as removed`,
  );

export const sweepAbuseReports: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from abuse_reports where at < ${before} order by at limit ${limit}),
         gone as (delete from abuse_reports r using page p where r.id = p.id returning r.id)
    select (select max(id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );

/** Jobs that used up their attempts; the requested email is no longer useful. The job queue uses system time. */
export const sweepFailedRequests: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (
           select id from graphile_worker.jobs
            where task_identifier in ('send-reset-link', 'send-records-link', 'send-my-tickets') and attempts >= max_attempts
              and locked_at is null and updated_at < least(${before}, now() - interval '1 day') limit ${limit}),
         gone as (select * from graphile_worker.complete_jobs((select array_agg(id) from page)))
    select (select max(id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );

export const sweepRecordsLinks: Sweep = (db, { before }) =>
  sweepPage(
    db,
    sql`
    with gone as (delete from privacy_links where expires_at < ${before} returning token_hash)
    select null as last, (select count(*)::int from gone) as removed`,
  );

/** Of free orders, completed or not. */
export const sweepEmailProofs: Sweep = (db, { before, limit }) =>
  sweepPage(
    db,
    sql`
    with page as (select id from email_proofs where sent_at < ${before} order by sent_at limit ${limit}),
         gone as (delete from email_proofs e using page p where e.id = p.id returning e.id)
    select (select max(id::text) from page) as last, (select count(*)::int from gone) as removed`,
  );
