import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { type Db, isConnectionError, isUnavailable, openDatabase, openOwnerPool, openPool } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  );

async function processId(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid;
}

/** A pool with a single connection, which waits two seconds for an answer. */
function impatient(): pg.Pool {
  const address = new URL(database.connectionString);
  address.searchParams.set('query_timeout', '2000');
  return openPool(address.href, () => {}, null, 1);
}

describe('A connection is given up', () => {
  async function expectAnother(pool: pg.Pool, fail: (db: Db) => Promise<unknown>): Promise<void> {
    const db = openDatabase(pool);
    try {
      const first = await processId(db);
      const error = await failureOf(fail(db));

      expect([isConnectionError(error), isUnavailable(error)]).toEqual([true, true]);
      expect(await processId(db)).not.toBe(first);
      expect(pool.totalCount).toBe(1);
    } finally {
      await db.destroy();
    }
  }

  it('when the server does not answer [OPS-6]', () =>
    expectAnother(impatient(), (db) => sql`select pg_sleep(14)`.execute(db)));

  it('when the server does not answer within a transaction', () =>
    expectAnother(impatient(), (db) => db.transaction().execute((tx) => sql`select pg_sleep(14)`.execute(tx))));

  it('when the server became a standby [OPS-6]', () =>
    expectAnother(
      openPool(database.connectionString, () => {}, null, 1),
      async (db) => {
        await sql`set default_transaction_read_only = on`.execute(db);
        await sql`create table not_here (id int)`.execute(db);
      },
    ));

  it('never while it migrates', async () => {
    const pool = openOwnerPool(database.connectionString, () => {});
    const client = await pool.connect();
    const { query_timeout: limit } = pool.options;
    client.release();
    await pool.end();

    expect(limit).toBeUndefined();
  });
});

it.each(['53100', '53200', '58030'])(
  'A server without disk or memory (%s) is unavailable, not broken [OPS-6]',
  async (code) => {
    const db = openDatabase(openPool(database.connectionString, () => {}, null, 1));
    const raise = `do $$ begin raise exception 'full' using errcode = '${code}'; end $$`;
    const error = await failureOf(sql.raw(raise).execute(db));
    await db.destroy();

    expect([isUnavailable(error), isConnectionError(error)]).toEqual([true, false]);
  },
);
