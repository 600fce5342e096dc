/** Figures for operators' alerts. Each reads an index of what is open, or totals: none reads a large table. */
import { sql } from 'kysely';
import { ALERT_MINUTES } from '#domain/limits.ts';
import { actionItems } from '#server/backoffice/admin/action-items.sql.ts';
import { isHeld } from '#server/payments/holds/holds.sql.ts';
import type { Db } from '#server/platform/database.ts';

export interface Figures {
  ticketsSold: number;
  reservationsOpen: number;
  webhooksUnprocessed: number;
  webhookSeconds: number;
  emailsQueued: number;
  emailSeconds: number;
  deliveriesDue: number;
  deliverySeconds: number;
  discrepanciesOpen: number;
  backupSeconds: number;
  /** Since the last check that passed, or since the installation. */
  backupCheckSeconds: number;
  backupCheckFailed: number;
  backupCheckTook: number;
  replicas: number;
  replicationSeconds: number;
}

export async function readFigures(db: Db): Promise<Figures> {
  const { rows } = await sql<Figures>`
    select (select coalesce(sum(sold), 0) from ticket_totals_now)::float8 as tickets_sold,
           (select count(*) from orders where state = 'reserved')::float8 as reservations_open,
           w.total as webhooks_unprocessed, w.seconds as webhook_seconds,
           m.total as emails_queued, m.seconds as email_seconds,
           d.total as deliveries_due, d.seconds as delivery_seconds,
           (select count(*) from discrepancies where resolved_at is null)::float8 as discrepancies_open,
           extract(epoch from business_now() - coalesce((select finished_at from last_backup),
                                                        (select min(applied_at) from schema_migrations)))::float8 as backup_seconds,
           extract(epoch from business_now() - coalesce((select passed_at from last_backup_check),
                                                        (select min(applied_at) from schema_migrations)))::float8 as backup_check_seconds,
           (select count(*) from last_backup_check where failed_step is not null)::float8 as backup_check_failed,
           coalesce((select seconds from last_backup_check), 0)::float8 as backup_check_took,
           r.total as replicas, r.seconds as replication_seconds
      from (select count(*)::float8 as total,
                   coalesce(extract(epoch from business_now() - min(received_at)), 0)::float8 as seconds
              from webhook_events where processed_at is null) w,
           (select count(*)::float8 as total,
                   coalesce(extract(epoch from business_now() - min(created_at)), 0)::float8 as seconds
              from email_outbox where state = 'queued') m,
           (select count(*)::float8 as total,
                   coalesce(extract(epoch from business_now() - min(next_at)), 0)::float8 as seconds
              from webhook_endpoints join webhook_deliveries on endpoint_id = webhook_endpoints.id
             where ended_at is null and failing_since is null and state = 'waiting' and next_at <= business_now()) d,
           -- An idle standby reports no lag. Without the right to read statistics, PostgreSQL hides the state.
           (select count(*)::float8 as total, coalesce(extract(epoch from max(replay_lag)), 0)::float8 as seconds
              from pg_stat_replication where state = 'streaming') r`.execute(db);
  const [figures] = rows;
  if (!figures) throw new Error('an aggregate query returned no row');
  return figures;
}

export interface TaskJobs {
  task: string;
  due: number;
  running: number;
  givenUp: number;
  oldestSeconds: number;
}

/** The queue runs on the machine's time. */
export async function jobsByTask(db: Db): Promise<TaskJobs[]> {
  const { rows } = await sql<TaskJobs>`
    select t.identifier as task,
           count(*) filter (where j.is_due)::float8 as due,
           count(*) filter (where j.locked_at is not null)::float8 as running,
           count(*) filter (where j.locked_at is null and j.attempts >= j.max_attempts)::float8 as given_up,
           coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_due)), 0)::float8 as oldest_seconds
      from (select *, locked_at is null and attempts < max_attempts and run_at <= now() as is_due
              from graphile_worker._private_jobs) j
      join graphile_worker._private_tasks t on t.id = j.task_id
     group by t.identifier`.execute(db);
  return rows;
}

export interface WaitingPayouts {
  state: string;
  count: number;
  cents: number;
  /** Since the oldest was due; 0 while none is, or while they wait for money or the organizer. */
  oldestSeconds: number;
}

export async function waitingPayouts(db: Db): Promise<WaitingPayouts[]> {
  const { rows } = await sql<WaitingPayouts>`
    select p.state, count(*)::float8 as count, sum(p.cents)::float8 as cents,
           greatest(0, coalesce(extract(epoch from business_now() - min(coalesce(p.send_after, p.requested_at))
                                                                     filter (where p.state = 'requested')), 0))::float8 as oldest_seconds
      from payouts p
     where p.state <> 'paid' and not ${isHeld(sql`p.event_id`)}
     group by p.state`.execute(db);
  return rows;
}

export async function openAlertsByKind(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::float8 as count from alerts where resolved_at is null group by kind`.execute(db);
  return rows;
}

export interface ActionItems {
  kind: string;
  count: number;
  overdue: number;
}

export async function actionItemsByKind(db: Db): Promise<ActionItems[]> {
  const { rows } = await sql<ActionItems>`
    select i.kind, count(*)::float8 as count,
           count(*) filter (where i.since < business_now() - make_interval(mins => ${ALERT_MINUTES}))::float8 as overdue
      from (${actionItems}) as i group by i.kind`.execute(db);
  return rows;
}

export async function insertBackup(db: Db): Promise<void> {
  await sql`select record_backup()`.execute(db);
}

export interface BackupCheck {
  /** Null if the backup is good. */
  failedStep: string | null;
  seconds: number;
}

export async function insertBackupCheck(db: Db, { failedStep, seconds }: BackupCheck): Promise<void> {
  await sql`select record_backup_check(${failedStep}, ${seconds}::integer)`.execute(db);
}
