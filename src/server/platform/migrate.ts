/**
 * Brings a database to this release, while servers of this and of the previous one use it (docs/upgrades.md): first the
 * numbered migrations, which change the schema, then the functions and triggers, which live next to the code that calls
 * them and are reapplied whenever their text changes.
 * Safe to run from several processes at once: one migrates, the others wait.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { readBuild } from './build.ts';
import { advisoryLocks } from './locks.ts';
import { type Migration, migrationNames, readMigrations } from './migrations/migration-files.ts';
import {
  compareVersions,
  createReleaseTable,
  newerRelease,
  recordRelease,
  releaseOf,
} from './migrations/release-of-database.ts';
import { withShortLocks } from './migrations/short-locks.ts';

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

/** What holds a table for longer runs alone, and blocks nothing. */
const STATEMENT_MS = 30_000;
const NO_LIMIT = 0;
const WAIT_MS = 100;

/** This database and this release don't fit. */
export class OutdatedDatabase extends Error {}

interface Source {
  version: string;
  folder: URL;
}

/** @returns whether this release owns the schema; false if a newer one does, whose functions and grants stay as they are */
export async function migrate(
  pool: pg.Pool,
  { version, folder }: Source = { version: readBuild().version, folder: MIGRATIONS },
): Promise<boolean> {
  await rejectFirstVersion(pool);
  const migrations = await readMigrations(folder);
  const own = releaseOf(version, migrations);
  const client = await pool.connect();
  try {
    await takeTurn(client);
    await createTables(client);
    const newer = await newerRelease(client, own);
    if (newer) {
      if (compareVersions(version, newer.oldest) < 0)
        throw new OutdatedDatabase(
          `The database belongs to Handstamp ${newer.version}, which other servers may run next to it from ${newer.oldest} on. This is ${version}: start the newer one.`,
        );
      return false;
    }
    await runMigrations({ pgPool: pool });
    for (const migration of await pendingOf(client, migrations)) await apply(client, migration);
    await applyFunctions(client);
    await recordRelease(client, own, migrations);
    return true;
  } finally {
    // With its settings and locks.
    client.release(true);
  }
}

/**
 * One process at a time. A process that waits in a statement has a snapshot, for which `create index concurrently` would
 * wait, so the others ask again and again.
 */
async function takeTurn(client: pg.PoolClient): Promise<void> {
  const isOurs = async () => {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [
      advisoryLocks.migration,
    ]);
    return rows[0]?.isOurs === true;
  };
  while (!(await isOurs())) await sleep(WAIT_MS);
}

async function createTables(client: pg.PoolClient): Promise<void> {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
  );
  await client.query('create table if not exists schema_functions (file text primary key, hash text not null)');
  await createReleaseTable(client);
}

async function apply(client: pg.PoolClient, { name, text, followsRules, runsAlone }: Migration): Promise<void> {
  const record = () => client.query('insert into schema_migrations (name) values ($1)', [name]);
  if (runsAlone) {
    await runAlone(client, text);
    await record();
    return;
  }
  const statementMs = followsRules ? STATEMENT_MS : NO_LIMIT;
  await withShortLocks(client, { what: `Migration ${name}`, statementMs }, async () => {
    await client.query(text);
    await record();
  });
}

const INDEX = /create (?:unique )?index concurrently (?:if not exists )?(\w+)/i;

/** It waits for transactions without holding anyone up, so it needs no limits. */
async function runAlone(client: pg.PoolClient, statement: string): Promise<void> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0');
  const index = INDEX.exec(statement)?.[1];
  // An attempt that was interrupted leaves an index that isn't used.
  if (index !== undefined) await client.query(`drop index concurrently if exists ${index}`);
  await client.query(statement);
}

async function applyFunctions(client: pg.PoolClient): Promise<void> {
  const pending = await pendingFunctions(client);
  if (pending.length === 0) return;
  await withShortLocks(client, { what: 'A trigger', statementMs: STATEMENT_MS }, async () => {
    for (const { file, text, hash } of pending) {
      await client.query(text);
      await client.query(
        `insert into schema_functions (file, hash) values ($1, $2)
             on conflict (file) do update set hash = excluded.hash`,
        [file, hash],
      );
    }
  });
}

/** Whether the database has every migration that this code knows. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const applied = await appliedTo(pool);
  return (await migrationNames(MIGRATIONS)).every((name) => applied.has(name));
}

/** Those that a newer release has applied. */
export async function unknownMigrations(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from schema_migrations order by name');
  const known = new Set(await readdir(MIGRATIONS));
  return rows.map(({ name }) => name).filter((name) => !known.has(name));
}

/** Version 0.1 kept its list of migrations under another name, and 0.2 begins with a schema of its own. */
async function rejectFirstVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ isFirst: boolean }>(`select to_regclass('migrations') is not null as "isFirst"`);
  if (rows[0]?.isFirst)
    throw new OutdatedDatabase(
      'The database was set up by Handstamp 0.1, which this version cannot upgrade. Start with an empty database.',
    );
}

async function pendingOf(db: Pick<pg.Pool, 'query'>, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedTo(db);
  return migrations.filter(({ name }) => !applied.has(name));
}

async function appliedTo(db: Pick<pg.Pool, 'query'>): Promise<Set<string>> {
  const { rows } = await db.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
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
