/** Database failures: restarts, broken connections, and spurious transaction errors. */
import pg from 'pg';
import { findDataDirectory } from '#server/platform/adapters/embedded-postgres/data-directory.ts';
import { findPrograms, programPath, programsFor } from '#server/platform/adapters/embedded-postgres/programs.ts';
import { runProgram } from '#server/platform/adapters/embedded-postgres/run-program.ts';

/** `fast` notifies every connection; `immediate` acts like a power cut and replays the log. */
export async function restartPostgres(dataDir: string, mode: 'fast' | 'immediate'): Promise<void> {
  const place = await findDataDirectory(dataDir);
  const programs = await programsFor(place.account, await findPrograms());
  const { succeeded, output } = await runProgram(
    programPath(programs, 'pg_ctl'),
    ['restart', '-w', '-t', '60', '-m', mode, '-D', place.databaseDir, '-l', `${place.databaseDir}/server.log`],
    place,
  );
  if (!succeeded) throw new Error(`PostgreSQL did not come back: ${output}`);
}

export async function withClient<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${address}&application_name=faults` });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Terminates one of the servers' connections, whatever it is doing. */
export async function breakSomeConnection(client: pg.Client, pick: (pids: readonly number[]) => number): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity
      where datname = current_database() and application_name <> 'faults' and backend_type = 'client backend' order by pid`,
  );
  if (rows.length > 0) await client.query('select pg_terminate_backend($1)', [pick(rows.map(({ pid }) => pid))]);
}

/** Makes one in five transactions that write to the app's tables fail with a serialization error. */
export async function failSomeWrites(client: pg.Client): Promise<() => Promise<void>> {
  await client.query(`
    create or replace function faults_fail() returns trigger language plpgsql as $$
    declare
      chance integer := abs(hashtext(pg_current_xact_id()::text)) % 10;
    begin
      if chance < 2 then
        raise exception 'could not serialize access, says the test'
          using errcode = case chance when 0 then '40001' else '40P01' end;
      end if;
      return null;
    end $$`);
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
  );
  for (const { name } of rows)
    await client.query(
      `create trigger faults_fail before insert or update or delete on ${name} for each statement execute function faults_fail()`,
    );
  return async () => {
    for (const { name } of rows) await client.query(`drop trigger faults_fail on ${name}`);
  };
}
