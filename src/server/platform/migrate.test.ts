import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { explain } from '#server/main/start-problem.ts';
import { until } from '#tests/support/metrics.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { openOwnerPool, openPool } from './database.ts';
import { isMigrated, migrate, OutdatedDatabase } from './migrate.ts';

let pool: pg.Pool;
let database: TestDatabase;

async function openEmptyDatabase() {
  database = await createTestDatabase('template1');
  pool = openPool(database.connectionString, () => {});
}

async function closeDatabase() {
  await pool.end();
  await database.drop();
}

describe('An empty database', () => {
  beforeAll(async () => {
    await openEmptyDatabase();
    await migrate(pool);
  });
  afterAll(closeDatabase);

  it('is set up', async () => {
    const { rows } = await pool.query('select business_now() as now, (select count(*)::int from events) as events');

    expect(rows).toEqual([{ now: expect.any(Date), events: 0 }]);
    expect(await isMigrated(pool)).toBe(true);
  });

  it('is unchanged by a second migration', async () => {
    const applied = () =>
      pool.query('select name, applied_at, (select array_agg(hash) from schema_functions) from schema_migrations');
    const before = await applied();
    await migrate(pool);

    expect((await applied()).rows).toEqual(before.rows);
  });

  it('reapplies functions and triggers whose text changed', async () => {
    await pool.query(`create or replace function business_now() returns timestamptz language sql stable
      as $$ select '2000-01-01'::timestamptz $$`);
    await pool.query('drop trigger ledger_append_only on ledger_entries');
    await pool.query(
      `update schema_functions set hash = 'of another text' where file in ('platform/platform.functions.sql', 'ledger/ledger.functions.sql')`,
    );
    await migrate(pool);

    const { rows } = await pool.query(
      `select business_now() > '2020-01-01' as "isNow",
              exists (select from pg_trigger where tgname = 'ledger_append_only') as "hasTrigger"`,
    );
    expect(rows).toEqual([{ isNow: true, hasTrigger: true }]);
  });

  it('collects no statistics on event ids, which would make a new event look empty', async () => {
    const { rows } = await pool.query(
      `select attrelid::regclass::text as "table" from pg_attribute
        where attname = 'event_id' and attstattarget = 0 order by 1`,
    );

    expect(rows.map((row: { table: string }) => row.table)).toEqual([
      'early_check_ins',
      'ledger_entries',
      'orders',
      'refunds',
      'tickets',
      'waiting_room_presence',
      'waiting_room_skips',
    ]);
  });
});

describe('A database of version 0.1', () => {
  beforeAll(openEmptyDatabase);
  afterAll(closeDatabase);

  it('is rejected with one message and left unchanged', async () => {
    await pool.query(`create table migrations (name text primary key, applied_at timestamptz not null default now())`);
    await pool.query(`insert into migrations (name) values ('0001-clock.sql')`);

    const rejection = await migrate(pool).then(
      () => null,
      (error: unknown) => explain(error),
    );

    expect(rejection?.message).toMatch(/^The database was set up by Handstamp 0\.1[^\n]*\.$/);
    const { rows } = await pool.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    expect(rows).toEqual([{ relname: 'migrations' }]);
  });
});

describe('A database that is in use', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
    pool = openOwnerPool(database.connectionString, () => {});
  });
  afterEach(closeDatabase);

  /** A release of the future, with these migrations beyond those of today. */
  async function release(version: string, migrations: Record<string, string>) {
    const path = await mkdtemp(join(tmpdir(), 'handstamp-migrations-'));
    onTestFinished(() => rm(path, { recursive: true }));
    for (const [name, text] of Object.entries(migrations)) await writeFile(join(path, name), text);
    return { version, folder: pathToFileURL(`${path}/`) };
  }

  const columnsOf = async (table: string) => {
    const { rows } = await pool.query<{ name: string }>(
      'select column_name as name from information_schema.columns where table_name = $1',
      [table],
    );
    return rows.map(({ name }) => name);
  };

  const waiters = async (mode: string) => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from pg_locks
        where not granted and mode = $1 and database = (select oid from pg_database where datname = current_database())`,
      [mode],
    );
    return rows[0]?.count ?? 0;
  };

  it('lets others pass while a table that a migration needs is in use, and is migrated after that [UP-2]', async () => {
    const next = await release('0.3.0', { '9001-orders.sql': 'alter table orders add column spare text' });
    const report = await pool.connect();
    await report.query('begin');
    await report.query('select from orders');
    const migrating = migrate(pool, next);
    await until('the migration waits', async () => (await waiters('AccessExclusiveLock')) > 0);

    // Behind the migration, which gives up.
    await pool.query("insert into orders (id) select null where false; select 'passed'");
    expect(await columnsOf('orders')).not.toContain('spare');
    await report.query('commit');
    report.release();

    expect(await migrating).toBe(true);
    expect(await columnsOf('orders')).toContain('spare');
  });

  it('gets an index without a transaction, also after an attempt that was interrupted [UP-2]', async () => {
    const statement = 'create index concurrently spare on orders (created_at)';
    await pool.query('create index spare on orders (id)');
    await pool.query("update pg_index set indisvalid = false where indexrelid = 'spare'::regclass");
    const next = await release('0.3.0', { '9001-orders.sql': `-- Outside a transaction\n${statement};` });

    // The second one waits without a snapshot, or the index would wait for it.
    await Promise.all([migrate(pool, next), migrate(pool, next)]);

    const { rows } = await pool.query(
      `select indisvalid as "isValid", pg_get_indexdef(indexrelid) as definition from pg_index where indexrelid = 'spare'::regclass`,
    );
    const { rows: conflicts } = await pool.query(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    expect(conflicts).toEqual([{ deadlocks: 0 }]);
    expect(rows).toEqual([{ isValid: true, definition: expect.stringContaining('(created_at)') }]);
  });

  it('keeps the functions of a newer release when the previous one starts next to it [UP-3]', async () => {
    const migrations = { '9001-orders.sql': 'alter table orders add column spare text' };
    await migrate(pool, await release('0.3.0', migrations));
    await pool.query("update schema_functions set hash = 'of the newer text'");

    expect(await migrate(pool)).toBe(false);

    const { rows } = await pool.query('select count(*)::int as changed from schema_functions where hash <> $1', [
      'of the newer text',
    ]);
    expect(rows).toEqual([{ changed: 0 }]);
    expect(await isMigrated(pool)).toBe(true);
  });

  it('denies releases that a contract has left behind [UP-3]', async () => {
    const contract = '-- Contract since 0.3.0: nothing reads it.\nalter table orders drop column page_version';
    await migrate(pool, await release('0.4.0', { '9001-orders.sql': contract }));

    const own = await release('0.3.0', {});
    expect(await migrate(pool, own)).toBe(false);
    await expect(migrate(pool, await release('0.2.9', {}))).rejects.toThrow(OutdatedDatabase);
  });
});
