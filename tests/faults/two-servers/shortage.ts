/** Another client takes a row or all connections. Requests fail fast, and check-in continues. */
import pg from 'pg';
import type { Crowd } from './load.ts';
import { pause } from './pause.ts';
import { withClient } from './postgres.ts';

/** Longer than any timeout in the code. */
const LOCKED_MS = 12_000;
const ANSWERED_IN_MS = 8_000;
const CHECK_IN_MS = 2_000;
/** The connections of a server, and those of its jobs. */
const MAX_WAITING = 20;
/** Index of the crowd's first event that is on sale. */
const ON_SALE = 3;

export async function lockedForLong({ stage, histories, operations }: Crowd): Promise<string[]> {
  // Locks all rows of one event on sale, the worst that a psql session can do.
  const { eventId } = histories[ON_SALE] ?? { eventId: '' };
  const from = operations.length;
  let most = 0;
  await withClient(stage.address, async (client) => {
    await client.query('begin');
    for (const [table, key] of [
      ['events', 'id'],
      ['ticket_types', 'event_id'],
      ['orders', 'event_id'],
      ['tickets', 'event_id'],
    ])
      await client.query(`select 1 from ${table} where ${key} = $1 for update`, [eventId]);
    const end = Date.now() + LOCKED_MS;
    while (Date.now() < end) {
      most = Math.max(most, await countWaiting(client));
      await pause(200);
    }
    await client.query('rollback');
  });
  const during = operations.slice(from);
  const found = most > MAX_WAITING ? [`${most} connections waited`] : [];
  for (const { id, what, eventId: at, tookMs, is, message } of during) {
    if (at === eventId) {
      if (tookMs > ANSWERED_IN_MS) found.push(`#${id} ${what} of the locked event took ${tookMs} ms: ${message}`);
    } else if (what === 'scan' && (tookMs > CHECK_IN_MS || is === 'unknown'))
      found.push(`#${id} check-in at another event took ${tookMs} ms: ${is} ${message}`);
  }
  return found;
}

async function countWaiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

const TAKEN_MS = 3_000;

/** Another client takes every connection, including the servers' own. */
export async function outOfConnections({ stage, operations }: Crowd): Promise<string[]> {
  const from = operations.length;
  const taken: pg.Client[] = [];
  const end = Date.now() + TAKEN_MS;
  while (Date.now() < end) {
    const client = new pg.Client({ connectionString: `${stage.address}&application_name=faults` });
    client.on('error', () => {});
    try {
      await client.connect();
      taken.push(client);
      if (taken.length === 1) await endOthers(client);
    } catch {
      const [first] = taken;
      if (first) await endOthers(first);
      await client.end().catch(() => {});
      await pause(20);
    }
  }
  await Promise.all(taken.map((client) => client.end().catch(() => {})));
  const slow = operations.slice(from).filter(({ tookMs }) => tookMs > ANSWERED_IN_MS);
  return slow.map(({ id, what, tookMs, message }) => `#${id} ${what} took ${tookMs} ms: ${message}`);
}

async function endOthers(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> 'faults' and pid <> pg_backend_pid()`,
  );
}
