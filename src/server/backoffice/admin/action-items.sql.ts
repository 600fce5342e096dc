/** Action items for operators, read across the tables of all modules. Every query returns the same columns. */
import { type RawBuilder, sql } from 'kysely';
import type { ActionItemKind, CountedKind } from '#contract/app/action-items.ts';
import { EARLY_CHECK_INS_REPORTED } from '#domain/early-check-in.ts';
import { isHeld } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';

export interface ActionItemRow {
  kind: ActionItemKind;
  subject: string;
  eventId: string | null;
  title: string | null;
  organization: string | null;
  since: Date;
  cents: number | null;
  /** One of our codes, or the words of Stripe or the mail server. */
  why: string | null;
  buyerEmail: string | null;
}

/** Jobs get a few minutes to retry before their work becomes an action item. */
const orders = sql`
  select 'order-reserved' as kind, id::text as subject, event_id, reservation_expires_at as since, total_cents as cents,
         null as why, null as buyer_email
    from orders where state = 'reserved' and reservation_expires_at < business_now() - interval '5 minutes'
  union all
  select 'order-needs-review', o.id::text, o.event_id, coalesce(o.paid_at, o.created_at),
         coalesce(o.received_cents, o.total_cents), o.review_reason, o.buyer_email
    from orders o
   where o.state = 'needs-review'
     -- An operator may have refunded all of it in the Stripe dashboard.
     and not exists (select 1 from refunds r
                      where r.event_id = o.event_id and r.order_id = o.id and r.state not in ('refused', 'restored')
                     having sum(r.cents) >= coalesce(o.received_cents, o.total_cents))`;

const inboxAndOutbox = sql`
  select 'webhook-unprocessed', n.id, n.event_id, n.received_at, null::integer, n.type, null
    from webhook_events n where n.processed_at is null and n.received_at < business_now() - interval '5 minutes'
  union all
  select 'email-unsent', m.id::text, m.params ->> 'eventId', m.created_at, null, m.kind, null
    from email_outbox m where m.state = 'queued' and m.created_at < business_now() - interval '15 minutes'`;

/** See `isChosenRefund`. */
const isChosen = sql`r.reason in ('requested', 'organizer')`;

const refunds = sql`
  select case r.state when 'claimed' then 'refund-unsent' when 'refused' then case when ${isChosen} then 'refund-request-refused' else 'refund-refused' end
                      when 'failed' then 'refund-failed' else 'refund-unsettled' end,
         r.id::text, r.event_id, coalesce(r.failed_at, r.ended_at, r.sent_at, r.send_after),
         case r.state when 'failed' then least(r.cents, owed_to_buyer(r.event_id, r.order_id)) else r.cents end,
         r.failure_reason,
         case when r.state = 'failed' or (r.state = 'refused' and not ${isChosen}) then o.buyer_email end
    from refunds r
    join orders o on o.event_id = r.event_id and o.id = r.order_id
    join events e on e.id = r.event_id
   where r.state = 'claimed' and r.send_after < business_now() - interval '1 hour'
      or r.state = 'sent' and r.settled_at is null and r.sent_at < business_now() - interval '10 days'
      or r.state = 'failed'
         and not exists (select 1 from ledger_entries l
                          where l.event_id = r.event_id and l.subject_id = r.id and l.kind = 'owed-paid')
         and owed_to_buyer(r.event_id, r.order_id) > 0
      or r.state = 'refused' and r.cents > 0
         -- After a refused request the buyer still has the ticket and can ask again, until the event settles.
         and (not ${isChosen} or settles_at(e.latest_ends_at) > business_now())
         and not exists (select 1 from refunds later
                          where later.event_id = r.event_id and later.order_id = r.order_id
                            and later.ticket_id is not distinct from r.ticket_id and later.id > r.id)`;

/** Card payments take days to become available, longer over a weekend; everything else is sent within minutes. */
const payouts = sql`
  select case when p.state = 'awaiting-funds' then 'payout-awaiting-funds'
              when p.state = 'awaiting-account' then 'payout-awaiting-account'
              when p.failure_reason is not null then 'payout-rejected' else 'payout-unsent' end,
         p.id::text, p.event_id, due.at, p.cents, p.failure_reason, null
    from payouts p
   cross join lateral (select coalesce(p.send_after, p.requested_at) as at) due
   where (p.state = 'requested' and (p.failure_reason is not null or due.at < business_now() - interval '1 hour')
          or p.state = 'awaiting-funds' and due.at < business_now() - interval '5 days'
          or p.state = 'awaiting-account')
     -- An operator holds it on purpose.
     and not ${isHeld(sql`p.event_id`)}`;

/** An additional payout is claimed as soon as nothing blocks it; one that is still unclaimed after an hour is stuck. */
const additionalPayouts = sql`
  select 'return-unpaid', d.id::text, d.event_id, greatest(ended.at, r.settled_at),
         coalesce(r.gross_cents - r.used_cents - least(r.fees_cents, r.gross_cents - r.used_cents), d.cents), null, null
    from disputes d
    join (select event_id, order_id, max(closed_at) as at from disputes
           group by event_id, order_id having bool_and(state <> 'open')) as ended using (event_id, order_id)
    left join transfer_reversals r on r.event_id = d.event_id and r.dispute_id = d.id
   where d.returned_by is null and not ${isHeld(sql`d.event_id`)}
     and greatest(ended.at, r.settled_at) < business_now() - interval '1 hour'
     and (d.state = 'won' and r.state in ('reversed', 'receivable', 'from-reserve') and r.used_cents < r.gross_cents
          or d.excluded_from is not null and d.state in ('won', 'lost')
             and exists (select 1 from tickets t
                          where t.event_id = d.event_id and t.order_id = d.order_id
                            and counts_as_sold(t.state) and t.price_cents > 0))`;

/**
 * The outstanding part of each reversal. Payouts apply money to an organization's debt as a whole, so the oldest reversals
 * count as settled first.
 */
const outstanding = sql`
  select * from (
    select event_id, id, dispute_id, is_used, settled_at, failure_reason,
           greatest(0, least(cents, sum(cents) over so_far - deducted))::integer as cents
      from (select r.event_id, r.id, r.dispute_id, r.used_cents = r.gross_cents as is_used, e.organization_id, r.settled_at, r.failure_reason,
                   (r.gross_cents - r.fees_cents - r.reserve_cents)
                     + coalesce((select sum(l.cents) from ledger_entries l
                                  where l.event_id = r.event_id and l.subject_id = r.id and l.kind = 'write-off'
                                    and l.account = 'receivables'), 0) as cents,
                   -coalesce((select sum(l.cents) from ledger_entries l join events own on own.id = l.event_id
                               where own.organization_id = e.organization_id and l.account = 'receivables'
                                 and l.kind not in ('transfer-reversal', 'write-off')), 0) as deducted
              from transfer_reversals r join events e on e.id = r.event_id
             where r.state = 'receivable') as debts
    window so_far as (partition by organization_id order by settled_at, id)) as owed
   where cents > 0`;

const reversalsAndDebts = sql`
  select 'reversal-unsettled', r.id::text, r.event_id, r.created_at, r.gross_cents - r.fees_cents - r.reserve_cents,
         r.failure_reason, null
    from transfer_reversals r
   where r.state = 'claimed' and (r.failure_reason is not null or r.created_at < business_now() - interval '1 hour')
  union all
  select case when d.state in ('open', 'won') and d.returned_by is null and not owed.is_used then 'receivable-disputed' else 'receivable' end,
         owed.id::text, owed.event_id, owed.settled_at, owed.cents, owed.failure_reason, null
    from (${outstanding}) as owed left join disputes d on d.event_id = owed.event_id and d.id = owed.dispute_id
  union all
  select 'over-deducted', e.organization_id::text, max(l.event_id), max(l.created_at), (-sum(l.cents))::bigint, null, null
    from ledger_entries l join events e on e.id = l.event_id
   where l.account = 'receivables'
   group by e.organization_id having sum(l.cents) < 0
  union all
  select case d.state when 'open' then 'dispute' else 'inquiry' end, d.id::text, d.event_id, d.opened_at, d.cents, d.reason, null
    from disputes d where d.state in ('open', 'inquiry')`;

const discrepanciesAndJobs = sql`
  select 'discrepancy', d.id::text, d.event_id, d.found_at, abs(d.cents), d.kind, null
    from discrepancies d where d.resolved_at is null
  union all
  -- A job that is locked still runs, also on its last attempt.
  select 'job-given-up', j.id::text, j.payload ->> 'eventId', j.created_at, null,
         t.identifier || coalesce(': ' || ${withoutAddresses('j.last_error')}, ''), null
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
   where j.attempts >= j.max_attempts and j.locked_at is null`;

/** Their reasons are numbers: hours before the start, and check-ins. One that its device undid did no harm, and add-ons can be handed out early. */
const earlyCheckIns = sql`
  select 'check-in-objection', c.id::text, c.event_id, c.objected_at, t.price_cents,
         round(extract(epoch from e.latest_starts_at - c.scanned_at) / 3600)::text, null
    from early_check_ins c
    join tickets t on t.event_id = c.event_id and t.id = c.ticket_id and t.state = 'scanned'
    join events e on e.id = c.event_id
   where c.objected_at is not null and c.ended_at is null and e.cancelled_at is null and e.payout_requested_at is null
  union all
  select 'early-check-ins', (array_agg(c.id::text order by c.recorded_at, c.id))[${EARLY_CHECK_INS_REPORTED}::integer], c.event_id,
         min(c.recorded_at), null, count(*)::text, null
    from early_check_ins c
    join events e on e.id = c.event_id
    join tickets t on t.event_id = c.event_id and t.id = c.ticket_id
    join ticket_types y on y.event_id = t.event_id and y.id = t.ticket_type_id and not y.is_add_on
   where c.reviewed_at is null and c.outcome is distinct from 'undone-at-door'
     and e.cancelled_at is null and e.payout_requested_at is null
   group by c.event_id having count(*) >= ${EARLY_CHECK_INS_REPORTED}::integer`;

export const actionItems = sql`${orders} union all ${inboxAndOutbox} union all ${refunds} union all ${payouts} union all ${additionalPayouts} union all ${reversalsAndDebts} union all ${discrepanciesAndJobs} union all ${earlyCheckIns}`;

/** Error messages may contain the recipient of an email. */
function withoutAddresses(column: string): RawBuilder<string> {
  return sql`left(regexp_replace(${sql.raw(column)}, '[^\\s<>"@]+@[^\\s<>"@]+', '(address)', 'g'), 300)`;
}

/** The last job error per webhook event, email, refund or reversal, in one pass over the jobs. */
const lastErrors = sql`
  select distinct on (about) about, error
    from (select coalesce(payload ->> 'webhookEventId', payload ->> 'emailId', payload ->> 'refundId', payload ->> 'reversalId') as about,
                 ${withoutAddresses('last_error')} as error, id
            from graphile_worker._private_jobs where last_error is not null) as jobs
   order by about, id desc`;

/** Without disputes, which are listed with their due dates. */
export async function actionItemRows(db: Db, limit: number): Promise<(ActionItemRow & { total: number })[]> {
  const { rows } = await sql<ActionItemRow & { total: number }>`
    select s.kind, s.subject, s.event_id, s.since, s.cents, s.buyer_email, s.total,
           case when s.kind in ('webhook-unprocessed', 'email-unsent') then coalesce(failed.error, s.why)
                else coalesce(s.why, failed.error) end as why,
           e.title, o.name as organization
      from (select item.*, count(*) over () as total from (${actionItems}) as item
             where item.kind not in ('dispute', 'inquiry') order by since, subject limit ${limit}) as s
      left join events e on e.id = s.event_id
      left join organizations o on o.id = e.organization_id
      left join (${lastErrors}) as failed on failed.about = s.subject
     order by s.since, s.subject`.execute(db);
  return rows;
}

export async function findActionItem(
  db: Db,
  kind: ActionItemKind,
  subject: string,
): Promise<ActionItemRow | undefined> {
  const { rows } = await sql<ActionItemRow>`
    select s.* from (${actionItems}) as s where s.kind = ${kind} and s.subject = ${subject}`.execute(db);
  return rows[0];
}

export async function actionItemCounts(db: Db): Promise<{ kind: CountedKind; count: number }[]> {
  const { rows } = await sql<{ kind: CountedKind; count: number }>`
    select kind, count(*) as count from (${actionItems}) as s group by kind`.execute(db);
  return rows;
}
