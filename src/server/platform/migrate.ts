/**
 * Brings a database to this version: first the numbered migrations, which change the schema, then the functions and
 * triggers, which live next to the code that calls them and are reapplied whenever their text changes.
 * Safe to run from several processes at once: one migrates, the others wait.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { advisoryLocks } from './locks.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);
const SERVER = new URL('../', import.meta.url);
/** In dependency order: a module's functions may call those of earlier modules. */
const MODULES_WITH_FUNCTIONS = [
  'platform',
  'ledger',
  'accounts',
  'events',
  'orders',
  'payments',
  'checkin',
  'backoffice',
];

export class OutdatedDatabase extends Error {}

export async function migrate(pool: pg.Pool): Promise<void> {
  await rejectFirstVersion(pool);
  await runMigrations({ pgPool: pool });

  const client = await pool.connect();
  try {
    await client.query('begin');
    // A large table, or a concurrent migration, exceeds the timeouts meant for requests.
    await client.query('set local statement_timeout = 0');
    await client.query('set local lock_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migration]);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    await client.query('create table if not exists schema_functions (file text primary key, hash text not null)');
    for (const name of await pendingMigrations(client)) {
      await client.query(await readFile(new URL(name, MIGRATIONS), 'utf8'));
      await client.query('insert into schema_migrations (name) values ($1)', [name]);
    }
    for (const { file, text, hash } of await pendingFunctions(client)) {
      await client.query(text);
      await client.query(
        `insert into schema_functions (file, hash) values ($1, $2)
             on conflict (file) do update set hash = excluded.hash`,
        [file, hash],
      );
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Whether the database has every migration that this code knows. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  return (await pendingMigrations(pool)).length === 0;
}

/** Version 0.1 kept its list of migrations under another name, and 0.2 begins with a schema of its own. */
async function rejectFirstVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isFirst: boolean }>(`select to_regclass('migrations') is not null as "isFirst"`);
  if (rows[0]?.isFirst)
    throw new OutdatedDatabase(
      'The database was set up by Handstamp 0.1, which this version cannot upgrade. Start with an empty database.',
    );
}

async function pendingMigrations(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from schema_migrations');
  const applied = new Set(rows.map((row) => row.name));
  const known = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  return known.filter((name) => !applied.has(name));
}

async function pendingFunctions(db: Pick<pg.Pool, 'query'>) {
  const { rows } = await db.query<{ file: string; hash: string }>('select file, hash from schema_functions');
  const applied = new Map(rows.map(({ file, hash }) => [file, hash]));
  const files = await Promise.all(
    (await functionFiles()).map(async (file) => {
      const text = await readFile(new URL(file, SERVER), 'utf8');
      return { file, text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
  return files.filter(({ file, hash }) => applied.get(file) !== hash);
}

async function functionFiles(): Promise<string[]> {
  const all = (await readdir(SERVER, { recursive: true })).filter((file) => file.endsWith('.functions.sql')).sort();
  const ordered = MODULES_WITH_FUNCTIONS.flatMap((module) => all.filter((file) => file.startsWith(`${module}/`)));
  const unlisted = all.filter((file) => !ordered.includes(file));
  if (unlisted.length > 0) throw new Error(`${unlisted.join(', ')}: list the module in migrate.ts`);
  return ordered;
}
