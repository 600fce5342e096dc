/** Restores an older backup. Stripe's tables and the clock keep their current state. */
import type pg from 'pg';
import { withClient } from './postgres.ts';

const AHEAD = /^(?:sandbox\..*|public\.business_clock)$/;

/** Copies the current state. The database must have no connections. */
export async function backUp(address: string): Promise<string> {
  const backup = `${nameOf(address)}_backup`;
  await onMaintenanceDatabase(address, `create database ${backup} template ${nameOf(address)}`);
  return backup;
}

export async function restore(address: string, backup: string): Promise<void> {
  const name = nameOf(address);
  await onMaintenanceDatabase(address, `alter database ${name} rename to ${name}_ahead`);
  await onMaintenanceDatabase(address, `create database ${name} template ${backup}`);
  await copyWhatGoesOn(addressOf(address, `${name}_ahead`), address);
  await onMaintenanceDatabase(address, `drop database ${name}_ahead with (force)`);
  await onMaintenanceDatabase(address, `drop database ${backup} with (force)`);
}

/** Stripe's tables and the clock, from the database as it was to the restored one. */
export const copyWhatGoesOn = (from: string, to: string): Promise<void> =>
  withClient(from, (ahead) =>
    withClient(to, async (restored) => {
      const tables = await tablesOf(ahead);
      await restored.query(`truncate ${tables.join(', ')} cascade`);
      for (const table of tables) await copy(table, ahead, restored);
    }),
  );

/** In foreign-key order. */
async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%s.%s', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r'
     order by (select count(*) from pg_constraint k where k.conrelid = c.oid and k.contype = 'f'), c.oid`);
  return rows.map(({ name }) => name).filter((name) => AHEAD.test(name));
}

async function copy(table: string, from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ rows: string | null }>(
    `select json_agg(row_to_json(t))::text as rows from ${table} t`,
  );
  const { rows: stored } = await to.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = stored[0]?.columns;
  await to.query(
    `insert into ${table} (${columns}) overriding system value
     select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [rows[0]?.rows ?? '[]'],
  );
  const { rows: counters } = await to.query<{ column: string }>(
    `select attname as column from pg_attribute where attrelid = $1::regclass and attidentity <> ''`,
    [table],
  );
  for (const { column } of counters)
    await to.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce((select max(${column}) from ${table}), 0) + 1)`,
      [table, column],
    );
}

const nameOf = (address: string) => new URL(address).pathname.slice(1);

function addressOf(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}

const onMaintenanceDatabase = (address: string, statement: string) =>
  withClient(addressOf(address, 'postgres'), async (client) => void (await client.query(statement)));
