import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '#server/main/start-problem.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { openPool } from './database.ts';
import { isMigrated, migrate } from './migrate.ts';

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
