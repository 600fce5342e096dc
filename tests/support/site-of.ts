import { CompiledQuery } from 'kysely';
import { openDatabase, openPool } from '#server/platform/database.ts';
import { Visitor } from './http-visitor.ts';
import { clockOf } from './move-clock.ts';
import type { Site } from './people.ts';
import type { Product } from './product.ts';

/** Adapts a started server for `people.ts`. Pending work is read from its database. */
export function siteOf(product: Product): Site {
  return {
    organizers: [],
    publicUrl: product.url,
    visitor: (options) => new Visitor(product.url, options),
    call: (endpoint, input) => new Visitor(product.url).call(endpoint, input),
    now: () => clockOf(product.sandboxUrl),
    settle: () => untilQuiet(product),
  };
}

/** A killed server's jobs return to the queue half a minute later. */
const TIMEOUT_MS = 60_000;

/** Queried in one statement: a delivery is due until its job exists, and a job until its email exists. */
const DUE = `
  select (select count(*) from graphile_worker._private_jobs where attempts < max_attempts and run_at <= now())::int
       + (select count(*) from sandbox.deliveries
           where next_attempt_at <= extract(epoch from business_now()))::int as due`;

async function untilQuiet(product: Product): Promise<void> {
  const pool = openPool(await product.databaseAddress(), () => {});
  try {
    const db = openDatabase(pool);
    const deadline = Date.now() + TIMEOUT_MS;
    const due = async () => (await db.executeQuery<{ due: number }>(CompiledQuery.raw(DUE))).rows[0]?.due;
    while ((await due()) !== 0) {
      if (Date.now() > deadline) throw new Error('timed out waiting for pending work');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await pool.end();
  }
}
