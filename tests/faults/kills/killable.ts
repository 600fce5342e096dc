/**
 * Stops the started server at an exact step, then kills it. The server needs no test hooks: a lock from the test's
 * connection blocks it at a write, and a slow sandbox response blocks it in a call.
 */

import pg from 'pg';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { advance, forgetKilledWorkers, type Healing } from '#tests/support/heal.ts';
import { onboardedOrganizer, type Site } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

/** The step at which the server stops. */
export type Stop =
  /**
   * The first write to the table. With `once`, writes pass until that query returns a row. With `since`, other writers
   * that block first are released, and the kill waits until that query returns a row.
   */
  | { at: 'write'; table: string; once?: string; since?: string }
  /** The first change of one of these rows, which are locked as soon as the query finds any. */
  | { at: 'change'; rows: string }
  /** The call is in flight, and Stripe has not executed it. */
  | { at: 'call'; method: string; path: string }
  /** Stripe has executed the call and responded, and the server is about to record the response. */
  | { at: 'answer'; method: string; path: string; table: string };

export interface Killable extends Healing {
  site: Site;
  product: Product;
  db: Db;
  deps: Pick<Deps, 'appSecret'>;
  organizationId: string;
  organizerEmail: string;
  /** The clock that the server and the sandbox share. */
  now(): Promise<Date>;
  advance(seconds: number): Promise<void>;
  /** Runs `action`, stops the server at the step, kills it, and starts it again. */
  killAt(stop: Stop, action: () => Promise<unknown>): Promise<void>;
  remove(): Promise<void>;
}

const APP_SECRET = 'a secret for the killed server of more than 32 characters';
/** Hundreds of refunds take a while on two busy cores. */
const TIMEOUT_MS = 90_000;

export async function openKillable(): Promise<Killable> {
  const database = await createTestDatabase();
  const product = await startProduct({ DATABASE_URL: database.connectionString, APP_SECRET, RATE_LIMIT_SCALE: '0' });
  const pool = openPool(`${database.connectionString}&application_name=faults`, () => {});
  const db = openDatabase(pool);
  const site = siteOf(product);
  const { email } = await onboardedOrganizer(site);
  const { organizationId } = await actorOf(db, email);
  const healing = { db, sandboxUrl: product.sandboxUrl };
  return {
    ...healing,
    site,
    product,
    deps: { appSecret: [APP_SECRET] },
    organizationId,
    organizerEmail: email,
    now: () => clockOf(product),
    advance: (seconds) => advance(healing, seconds),
    killAt: (stop, action) => killAt({ product, database, pool, db }, stop, action),
    async remove() {
      await product.remove();
      await pool.end();
      await database.drop();
    },
  };
}

interface Target {
  product: Product;
  database: TestDatabase;
  pool: Pool;
  db: Db;
}

async function killAt(target: Target, stop: Stop, action: () => Promise<unknown>): Promise<void> {
  const { product, database } = target;
  const lock = new pg.Client({ connectionString: `${database.connectionString}&application_name=faults` });
  await lock.connect();
  try {
    // The caller gets no response, or half of one.
    await reached(target, stop, lock, () => action().catch(() => {}));
    await product.kill();
    await endDeadBackends(target.pool);
  } finally {
    await lock.query('rollback').catch(() => {});
    await lock.end();
  }
  await forgetKilledWorkers(target.db, 0);
  await product.start();
}

async function reached(target: Target, stop: Stop, lock: pg.Client, begin: () => Promise<unknown>): Promise<void> {
  if (stop.at === 'write') {
    if (!stop.once) await lockWrites(lock, stop.table);
    void begin();
    if (stop.once) {
      await untilAnswered(target.pool, stop.once);
      await lockWrites(lock, stop.table);
    }
    if (stop.since) await untilAnswered(target.pool, stop.since);
    return untilWaiting(target.pool, stop.table);
  }
  if (stop.at === 'change') {
    void begin();
    await lock.query('begin');
    await until(`these rows exist: ${stop.rows}`, async () => (await lock.query(stop.rows)).rows.length > 0);
    return until(`the server waits for rows: ${stop.rows}`, () => isAnyoneWaiting(target.pool));
  }
  const ms = stop.at === 'call' ? 60_000 : 1_500;
  await control(target.product, { match: { method: stop.method, path: stop.path }, mode: 'slow', times: 1, ms });
  void begin();
  await until('the call is in flight', () => hasTaken(target.product));
  if (stop.at === 'answer') {
    await lockWrites(lock, stop.table);
    await untilWaiting(target.pool, stop.table);
  }
}

const untilAnswered = (pool: Pool, query: string) =>
  until(`${query} returned a row`, async () => (await pool.query(query)).rows.length > 0);

/** Blocks writers; readers and row locks pass. */
async function lockWrites(lock: pg.Client, table: string): Promise<void> {
  await lock.query('begin');
  await lock.query(`lock table ${table} in share mode`);
}

/** Prevents statements sent before the kill from executing after it. */
async function endDeadBackends(pool: Pool): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> 'faults' and pid <> pg_backend_pid()`,
  );
}

async function untilWaiting(pool: Pool, table: string): Promise<void> {
  await until(`the server waits for ${table}`, async () => {
    const { rows } = await pool.query(
      `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and l.relation = $1::regclass and a.datname = current_database()`,
      [table],
    );
    return rows.length > 0;
  });
}

async function clockOf({ sandboxUrl }: Product): Promise<Date> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/clock`);
  const { unix }: { unix: number } = JSON.parse(await reply.text());
  return new Date(unix * 1000);
}

async function isAnyoneWaiting(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

async function control({ sandboxUrl }: Product, fault: object): Promise<void> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

async function hasTaken({ sandboxUrl }: Product): Promise<boolean> {
  const reply = await fetch(`${sandboxUrl}/_sandbox/faults`);
  const pending: { calls: unknown[] } = JSON.parse(await reply.text());
  return pending.calls.length === 0;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
