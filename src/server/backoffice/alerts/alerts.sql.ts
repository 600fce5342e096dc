import { type RawBuilder, sql } from 'kysely';
import type { AlertKind } from '#contract/app/alerts.ts';
import { ALERT_AGAIN_HOURS, ALERT_MINUTES, EVIDENCE_DUE_SOON_DAYS, REPORTS_ALERT_NETWORKS } from '#domain/limits.ts';
import { actionItems } from '#server/backoffice/admin/action-items.sql.ts';
import type { Db } from '#server/platform/database.ts';

/** What is wrong at the moment, by kind. Every query returns a subject. */
const problems: Record<Exclude<AlertKind, 'check-failed'>, RawBuilder<unknown>> = {
  // Emails and discrepancies have kinds of their own.
  'action-item': sql`
    select i.kind || ' ' || i.subject as subject from (${actionItems}) as i
     where i.kind not in ('email-unsent', 'discrepancy') and i.since < business_now() - make_interval(mins => ${ALERT_MINUTES})`,
  discrepancy: sql`select id::text as subject from discrepancies where resolved_at is null`,
  'dispute-due': sql`
    select id::text as subject from disputes
     where state in ('open', 'inquiry') and due_at < business_now() + make_interval(days => ${EVIDENCE_DUE_SOON_DAYS})`,
  'abuse-reports': sql`
    select distinct r.event_id as subject from abuse_reports r
     where r.handled_at is null
       and (select count(distinct coalesce(o.network_hash, -1)) from abuse_reports o
             where o.event_id = r.event_id and o.handled_at is null and o.at >= r.at and o.at < r.at + interval '1 hour')
           >= ${REPORTS_ALERT_NETWORKS}::integer`,
  // One alert for all: without a mail server, every email is late.
  'email-failing': sql`
    select 'queue' as subject
     where exists (select from email_outbox
                    where state = 'queued' and created_at < business_now() - make_interval(mins => ${ALERT_MINUTES}))`,
};

/** Raises an alert for each new problem, and resolves those whose problem is gone. */
export async function raiseAlerts(db: Db): Promise<void> {
  const kinds = Object.entries(problems).map(
    ([kind, query]) => sql`select ${kind}::text as kind, p.subject from (${query}) as p`,
  );
  await raise(db, Object.keys(problems), sql.join(kinds, sql` union all `));
}

export async function raiseCheckAlerts(db: Db, failedChecks: readonly string[]): Promise<void> {
  const names = sql`select 'check-failed' as kind, name as subject from unnest(${[...failedChecks]}::text[]) as name`;
  await raise(db, ['check-failed'], names);
}

async function raise(db: Db, kinds: readonly string[], found: RawBuilder<unknown>): Promise<void> {
  await sql`
    with found as materialized (${found}),
         gone as (update alerts a set resolved_at = business_now()
                   where a.resolved_at is null and a.kind = any(${[...kinds]}::text[])
                     and not exists (select from found f where f.kind = a.kind and f.subject = a.subject))
    insert into alerts (id, kind, subject, raised_at)
    select new_row_id(), kind, subject, business_now() from found
        on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
}

export interface DueAlert {
  kind: AlertKind;
  subject: string;
}

/** Marks the alerts to send now. Of two concurrent jobs, one gets each. */
export async function takeDueAlerts(db: Db): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    update alerts set last_sent_at = business_now()
     where resolved_at is null
       and (last_sent_at is null or last_sent_at <= business_now() - make_interval(hours => ${ALERT_AGAIN_HOURS}))
    returning kind, subject`.execute(db);
  return rows;
}

export interface OpenAlert extends DueAlert {
  id: string;
  raisedAt: Date;
  lastSentAt: Date | null;
  total: number;
}

export async function openAlerts(db: Db, limit: number): Promise<OpenAlert[]> {
  const { rows } = await sql<OpenAlert>`
    select id, kind, subject, raised_at, last_sent_at, count(*) over ()::int as total
      from alerts where resolved_at is null order by raised_at, id limit ${limit}`.execute(db);
  return rows;
}
