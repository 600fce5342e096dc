/** PostgreSQL access: schema set-up and transactions. */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** An open transaction. */
export type Tx = Pick<pg.PoolClient, 'query'>;

const MIGRATION_LOCK = 7_316_114_270;

/** Creates or updates the schema. Requires the database owner. */
export async function migrate(pool: pg.Pool): Promise<void> {
  const schema = await readFile(new URL('./schema.sql', import.meta.url), 'utf8');
  await inTransaction(pool, async (tx) => {
    // Two processes that start together can collide on `create ... if not exists`.
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // An unchanged schema would still lock the tables that other servers pay with.
    const hash = createHash('sha256').update(schema).digest('hex');
    const { rows } = await tx.query<{ hash: string | null }>(
      `select obj_description(to_regnamespace('sandbox'), 'pg_namespace') as hash`,
    );
    if (rows[0]?.hash === hash) return;
    await tx.query(schema);
    await tx.query(`comment on schema sandbox is '${hash}'`);
  });
}

const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 3;

/** Runs `operation` in one transaction and retries it when PostgreSQL aborts it as a deadlock victim. */
export async function inTransaction<T>(pool: pg.Pool, operation: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, operation);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || sqlState(error) !== DEADLOCK) throw error;
    }
  }
}

/** SQLSTATE of a failed statement. */
export const sqlState = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : null;

async function attemptTransaction<T>(pool: pg.Pool, operation: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('begin');
    const result = await operation(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Rolls back to a savepoint on failure, so that the transaction stays usable. */
export async function withSavepoint<T>(tx: Tx, operation: () => Promise<T>): Promise<T> {
  await tx.query('savepoint before_call');
  try {
    return await operation();
  } catch (error) {
    await tx.query('rollback to savepoint before_call');
    throw error;
  }
}
