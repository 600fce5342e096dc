import { CompiledQuery, sql } from 'kysely';
import { APPLICATION_ROLE } from '#server/platform/application-role.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { DEMO_ADDRESS } from '#server/platform/demo-address.ts';

export interface InvariantViolation {
  invariant: string;
  subject: string;
  found: string | null;
}

export async function runInvariant(db: Db, query: string): Promise<InvariantViolation[]> {
  return (await db.executeQuery<InvariantViolation>(CompiledQuery.raw(query))).rows;
}

export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date(0);
}

export interface Backlog {
  webhookSeconds: number | null;
  emailSeconds: number | null;
  discrepancies: number;
}

/** Age of the oldest unprocessed webhook event and unsent email, and the number of open discrepancies. */
export async function backlogOf(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select (select extract(epoch from business_now() - min(received_at)) from webhook_events where processed_at is null)::float8
             as webhook_seconds,
           (select extract(epoch from business_now() - min(created_at)) from email_outbox where state = 'queued')::float8
             as email_seconds,
           (select count(*) from discrepancies where resolved_at is null)::int as discrepancies`.execute(db);
  return rows[0] ?? { webhookSeconds: null, emailSeconds: null, discrepancies: 0 };
}

export async function photoFileNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ fileName: string }>`
    select file_name from event_photos
    union all select logo_file from organizations where logo_file is not null`.execute(db);
  return rows.map(({ fileName }) => fileName);
}

export async function passkeysOfOtherHosts(db: Db, host: string): Promise<{ host: string; count: number }[]> {
  const { rows } = await sql<{ host: string; count: number }>`
    select f.host, count(*)::int as count from user_factors f
     where f.host <> ${host}
       and not exists (select from user_factors x where x.user_id = f.user_id and x.confirmed_at is not null
                          and (x.kind = 'totp' or x.host = ${host}))
     group by f.host order by f.host`.execute(db);
  return rows;
}

export interface Furnishing {
  operators: number;
  hasRole: boolean;
  /** Since the last one; null if there is none. */
  backupSeconds: number | null;
  hasDemo: boolean;
}

/** What an operator has put into place. */
export async function furnishingOf(db: Db): Promise<Furnishing> {
  const { rows } = await sql<Furnishing>`
    select (select count(*) from users where is_admin)::int as operators,
           exists (select from pg_roles where rolname = ${APPLICATION_ROLE}) as has_role,
           (select extract(epoch from business_now() - finished_at) from last_backup)::float8 as backup_seconds,
           exists (select from users where email = ${DEMO_ADDRESS}) as has_demo`.execute(db);
  return rows[0] ?? { operators: 0, hasRole: false, backupSeconds: null, hasDemo: false };
}

export async function lastBackupCheck(db: Db): Promise<{ checkedAt: Date; failedStep: string | null } | undefined> {
  const { rows } = await sql<{ checkedAt: Date; failedStep: string | null }>`
    select checked_at, failed_step from last_backup_check`.execute(db);
  return rows[0];
}
