/** Brings a database to the newest migration. Safe to run from several processes at once: one works, the others wait. */
import { readdir, readFile } from 'node:fs/promises';
import { runMigrations } from 'graphile-worker';
import type pg from 'pg';

const FOLDER = new URL('../../../migrations/', import.meta.url);
/** Any fixed number: it names the lock that only migrations take. */
const MIGRATION_LOCK = 20_261_121;

export async function migrate(pool: pg.Pool): Promise<void> {
  await runMigrations({ pgPool: pool });

  const client = await pool.connect();
  try {
    await client.query('begin');
    // A large table takes longer than a buyer may wait, and so does another process that is migrating.
    await client.query('set local statement_timeout = 0');
    await client.query('set local lock_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    for (const name of await pendingMigrations(client)) {
      await client.query(await readFile(new URL(name, FOLDER), 'utf8'));
      await client.query('insert into migrations (name) values ($1)', [name]);
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

async function pendingMigrations(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>('select name from migrations');
  const applied = new Set(rows.map((row) => row.name));
  const known = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return known.filter((name) => !applied.has(name));
}
