/** Deterministic races: all contenders queue for a row that the test locks, then it releases the lock. */
import { type RawBuilder, sql } from 'kysely';
import type { TestApp } from './test-app.ts';

const KEYS = { events: 'id', tickets: 'event_id', ticket_types: 'event_id', orders: 'event_id' };

type Starts<T> = readonly (() => Promise<T>)[];

/** Starts the contenders one by one, each after the one before it waits for the lock, so that their order is known. */
export function raceFor<T>(app: TestApp, table: keyof typeof KEYS, eventId: string, starts: Starts<T>): Promise<T[]> {
  return inLineFor(
    app,
    sql`select from ${sql.table(table)} where ${sql.ref(KEYS[table])} = ${eventId} for update`,
    starts,
  );
}

/** The same for the payment page of one session, which the sandbox serves one request at a time. */
export function raceForSession<T>(app: TestApp, sessionId: string, starts: Starts<T>): Promise<T[]> {
  return inLineFor(app, sql`select from sandbox.objects where id = ${sessionId} for update`, starts);
}

async function inLineFor<T>(app: TestApp, hold: RawBuilder<unknown>, starts: Starts<T>): Promise<T[]> {
  const started = await app.db.transaction().execute(async (tx) => {
    await hold.execute(tx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const started: Promise<T>[] = [];
    for (const start of starts) {
      started.push(start());
      await untilBehind(app, rows[0]?.pid ?? 0, started.length);
    }
    return started;
  });
  return Promise.all(started);
}

/** Long, because reaching the lock takes time on a slow machine. */
const PATIENCE_MS = 20_000;

/** Counts only those who wait for the holder, directly or through another waiter. */
async function untilBehind({ db }: TestApp, holder: number, count: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      with recursive line as (
        select pid from pg_stat_activity where ${holder} = any(pg_blocking_pids(pid))
        union
        select a.pid from pg_stat_activity a join line on line.pid = any(pg_blocking_pids(a.pid)))
      select count(*)::int as waiting from line`.execute(db);
    if ((rows[0]?.waiting ?? 0) >= count) return;
    if (Date.now() > deadline) throw new Error(`only ${rows[0]?.waiting} of ${count} stood in line`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
