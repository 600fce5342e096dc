/**
 * What a migration does to servers that run meanwhile, as PostgreSQL reports it: which tables it locks, which of them it
 * reads or rewrites under that lock, and what the previous release no longer finds.
 */
import type pg from 'pg';
import type { Migration } from '#server/platform/migrations/migration-files.ts';

/** Tables that stay small however much is sold: reading all of them takes no time. */
const SMALL = new Set([
  'affiliate_codes',
  'business_clock',
  'checkout_rate',
  'balance_transaction_cursor',
  'funds_reading',
  'last_backup',
  'network_keys',
  'plans',
  'proxy_header_counts',
  'reconciliation_polls',
  'schema_functions',
  'schema_migrations',
  'schema_release',
]);

/** Sales write to every table: these wait for any lock that conflicts with a write. */
const STOPS_WRITES = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];
const WRITES = 'RowExclusiveLock';

/** Statements that hold a table for long without stopping reads or writes. Outside of a transaction, they have no limits. */
const RUNS_ALONE =
  /^(?:create (?:unique )?index concurrently \w+ on|drop index concurrently if exists \w+|alter table \w+ validate constraint \w+)\b[^;]*;?$/i;

interface Catalog {
  /** By name: its id, and the number of the file with its rows. */
  tables: Map<string, { id: number; file: number }>;
  /** By table and name. */
  columns: Map<string, { type: string; isRequired: boolean; isNotNull: boolean }>;
  functions: Set<string>;
}

/** Runs the migration, and keeps what it did if `keeps`. */
export async function problemsOf(
  client: pg.Client,
  { name, text, runsAlone, contractSince }: Migration,
  { releases, keeps }: { releases: readonly string[]; keeps: boolean },
): Promise<string[]> {
  if (runsAlone) {
    if (keeps) await client.query(text);
    const statement = text
      .replace(/^--.*$/gm, '')
      .trim()
      .replaceAll(/\s+/g, ' ');
    if (!RUNS_ALONE.test(statement)) return ['outside a transaction, it is not one statement that blocks no one'];
    return problemsOfHead(text, []);
  }
  const before = await readCatalog(client);
  await client.query('begin');
  try {
    // Inside of the transaction: outside, PostgreSQL may hand over its counts and start again from zero at any time.
    const readBefore = await countReads(client);
    await client.query(text);
    const locks = await readLocks(client, before);
    const scanned = new Set(
      [...(await countReads(client))]
        .filter(([table, reads]) => reads > (readBefore.get(table) ?? 0))
        .map(([table]) => table),
    );
    const after = await readCatalog(client);
    if (keeps) await client.query('commit');
    const stopped = [...new Set(locks.filter(({ mode }) => STOPS_WRITES.includes(mode)).map(({ table }) => table))];
    const changed = locks.filter(({ mode }) => mode === WRITES).map(({ table }) => table);
    const isLarge = (table: string) => !SMALL.has(table);
    const broken =
      contractSince === null ? incompatibilities(before, after) : problemsOfContract(contractSince, releases);
    return [
      ...stopped
        .filter((table) => isLarge(table) && scanned.has(table))
        .map((table) => `reads all of ${table} while writes wait`),
      ...changed
        .filter((table) => isLarge(table) && scanned.has(table) && !stopped.includes(table))
        .map((table) => `changes rows of all of ${table} at once`),
      ...[...before.tables].flatMap(([table, { file }]) =>
        isLarge(table) && (after.tables.get(table)?.file ?? file) !== file ? [`rewrites ${table}`] : [],
      ),
      ...broken,
      ...problemsOfHead(text, stopped),
    ];
  } catch (error) {
    throw new Error(`${name} failed`, { cause: error });
  } finally {
    await client.query('rollback');
  }
}

function problemsOfHead(text: string, stopped: readonly string[]): string[] {
  const [, listed] = /^-- Locks ([\w, ]+): \S/m.exec(text) ?? [];
  if (listed === undefined) return ['its head has no line "-- Locks ...: ..."'];
  const said = listed === 'nothing' ? [] : listed.split(/, | and /).sort();
  const is = [...stopped].sort();
  return String(said) === String(is)
    ? []
    : [`locks ${is.join(', ') || 'nothing'}, and its head says ${said.join(', ') || 'nothing'}`];
}

const problemsOfContract = (since: string, releases: readonly string[]) =>
  releases.includes(since) ? [] : [`is a contract since ${since}, which is not released`];

function incompatibilities(before: Catalog, after: Catalog): string[] {
  const found = [...before.tables.keys()].filter((table) => !after.tables.has(table)).map((table) => `drops ${table}`);
  for (const [column, was] of before.columns) {
    const is = after.columns.get(column);
    if (!after.tables.has(tableOf(column))) continue;
    if (!is) found.push(`drops ${column}`);
    else if (is.type !== was.type) found.push(`changes the type of ${column}`);
    else if (is.isNotNull && !was.isNotNull) found.push(`denies null in ${column}`);
    else if (is.isRequired && !was.isRequired) found.push(`drops the default of ${column}`);
  }
  for (const [column, { isRequired }] of after.columns)
    if (isRequired && before.tables.has(tableOf(column)) && !before.columns.has(column))
      found.push(`requires ${column}, which the previous release doesn't write`);
  found.push(
    ...[...before.functions].filter((routine) => !after.functions.has(routine)).map((routine) => `drops ${routine}`),
  );
  return found;
}

const tableOf = (column: string) => column.split('.')[0] ?? '';

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const tables = await client.query<{ name: string; id: number; file: number }>(
    `select relname as name, oid::bigint::float8 as id, relfilenode::bigint::float8 as file from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  );
  const columns = await client.query<{ name: string; type: string; isRequired: boolean; isNotNull: boolean }>(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isNotNull",
            a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
       from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  );
  return {
    tables: new Map(tables.rows.map(({ name, ...table }) => [name, table])),
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    functions: new Set(await readFunctions(client)),
  };
}

/** What a caller relies on: name, arguments and result. Triggers call the others. */
export async function readFunctions(client: Pick<pg.Client, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ routine: string }>(
    `select format('%s(%s) returns %s', proname, oidvectortypes(proargtypes), pg_get_function_result(oid)) as routine
       from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
  );
  return rows.map(({ routine }) => routine);
}

async function readLocks(client: pg.Client, { tables }: Catalog): Promise<{ table: string; mode: string }[]> {
  const { rows } = await client.query<{ id: number; mode: string }>(
    'select relation::bigint::float8 as id, mode from pg_locks where pid = pg_backend_pid() and granted and relation is not null',
  );
  const names = new Map([...tables].map(([name, { id }]) => [id, name]));
  return rows.flatMap(({ id, mode }) => {
    const table = names.get(id);
    return table === undefined ? [] : [{ table, mode }];
  });
}

/** How often this connection has read each table, by itself or to verify a constraint. */
async function countReads(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ table: string; reads: number }>(
    'select relname as "table", (seq_scan + coalesce(idx_scan, 0))::float8 as reads from pg_stat_xact_user_tables',
  );
  return new Map(rows.map(({ table, reads }) => [table, reads]));
}
