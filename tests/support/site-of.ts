import { CompiledQuery } from 'kysely';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
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

/** Without progress. A killed server's jobs return to the queue half a minute later. */
const TIMEOUT_MS = 60_000;

/** Queried in one statement: a delivery is due until its job exists, and a job until its email exists. */
const DUE = `
  select 'job ' || task_id || coalesce(' of ' || locked_by, '') || coalesce(': ' || last_error, '') as work
    from graphile_worker._private_jobs where attempts < max_attempts and run_at <= now()
   union all
  select 'delivery of ' || event_id || coalesce(' by ' || leased_by || ' until ' || leased_until, '') ||
         coalesce(': ' || last_answer, '')
    from sandbox.deliveries where next_attempt_at <= extract(epoch from business_now())`;
const NAMED = 5;

async function untilQuiet(product: Product): Promise<void> {
  const pool = openPool(await product.databaseAddress(), () => {});
  try {
    const db = openDatabase(pool);
    let deadline = Date.now() + TIMEOUT_MS;
    let fewest = Number.POSITIVE_INFINITY;
    for (;;) {
      const due = await countDue(db);
      if (due === 0) return;
      if (due < fewest) deadline = Date.now() + TIMEOUT_MS;
      fewest = Math.min(fewest, due);
      if (Date.now() > deadline) throw new Error(await describeDue(db));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await pool.end();
  }
}

async function countDue(db: Db): Promise<number> {
  const { rows } = await db.executeQuery<{ due: number }>(
    CompiledQuery.raw(`select count(*)::int as due from (${DUE}) as due`),
  );
  return rows[0]?.due ?? 0;
}

async function describeDue(db: Db): Promise<string> {
  const { rows } = await db.executeQuery<{ work: string }>(CompiledQuery.raw(DUE));
  const named = rows.slice(0, NAMED).map(({ work }) => work);
  return `timed out with ${rows.length} pending: ${named.join('; ')}`;
}
