/** Deterministic races: all contenders queue for a row that the test locks, then it releases the lock. */
import { type RawBuilder, sql } from 'kysely';
import type { TestApp } from './test-app.ts';

const KEYS = { organizations: 'id', events: 'id', tickets: 'event_id', ticket_types: 'event_id', orders: 'event_id' };

type Contenders<T> = readonly (() => Promise<T>)[];

/** Starts the contenders one by one, each after the one before it waits for the lock, so that their order is known. */
export function raceFor<T>(
  app: TestApp,
  table: keyof typeof KEYS,
  key: string,
  contenders: Contenders<T>,
): Promise<T[]> {
  return raceForLock(
    app,
    sql`select from ${sql.table(table)} where ${sql.ref(KEYS[table])} = ${key} for update`,
    contenders,
  );
}

/** The same for the payment page of one session, which the sandbox serves one request at a time. */
export function raceForSession<T>(app: TestApp, sessionId: string, contenders: Contenders<T>): Promise<T[]> {
  return raceForLock(app, sql`select from sandbox.objects where id = ${sessionId} for update`, contenders);
}

/** The same for any lock. */
export async function raceForLock<T>(app: TestApp, lock: RawBuilder<unknown>, contenders: Contenders<T>): Promise<T[]> {
  const started = await app.db.transaction().execute(async (tx) => {
    await lock.execute(tx);
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const started: Promise<T>[] = [];
    for (const start of contenders) {
      started.push(start());
      await untilBehind(app, rows[0]?.pid ?? 0, started.length);
    }
    return started;
  });
  return Promise.all(started);
}

/** Long, because reaching the lock takes time on a slow machine. */
const TIMEOUT_MS = 60_000;

/** Counts only those who wait for the holder, directly or through another waiter. */
async function untilBehind({ db }: TestApp, holder: number, count: number): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      with recursive waiters as (
        select pid from pg_stat_activity where ${holder} = any(pg_blocking_pids(pid))
        union
        select a.pid from pg_stat_activity a join waiters on waiters.pid = any(pg_blocking_pids(a.pid)))
      select count(*)::int as waiting from waiters`.execute(db);
    if ((rows[0]?.waiting ?? 0) >= count) return;
    if (Date.now() > deadline) throw new Error(`only ${rows[0]?.waiting} of ${count} wait for the lock`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
