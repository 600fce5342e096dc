import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  openPostgresChanges,
  type PostgresChanges,
} from '#server/platform/adapters/postgres-changes/postgres-changes.ts';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import type { Clock } from '#server/platform/ports/clock.ts';
import { until } from '#tests/support/metrics.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { openBusinessClock } from './postgres-clock.ts';

let database: TestDatabase;
let pool: Pool;
let changes: PostgresChanges;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.connectionString, () => {});
  changes = await openPostgresChanges(pool, pino({ level: 'silent' }));
});
afterAll(async () => {
  await changes.close();
  await pool.end();
  await database.drop();
});

/** A database that delays one response until `release` is called. */
function slowDatabase({ slow }: { slow: number }): { db: Db; responses: () => number; release: () => void } {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let responses = 0;
  const db = openDatabase(pool).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      responses += 1;
      if (responses === slow) await released;
      return result;
    },
  });
  return { db, responses: () => responses, release };
}

const differenceMs = (one: Clock, other: Clock) => Math.abs(one.now().getTime() - other.now().getTime());

const HOUR_S = 3_600;

describe('business clock of several processes', () => {
  it('is correct when another process moves it during the first read', async () => {
    const other = await openBusinessClock(openDatabase(pool));
    const { db, responses, release } = slowDatabase({ slow: 1 });
    const opening = openBusinessClock(db, changes);
    await until('it has read the clock', async () => responses() === 1);

    await other.advanceSeconds(HOUR_S);
    await until('it has read the clock again', async () => responses() === 2);
    release();

    expect(differenceMs(await opening, other)).toBeLessThan(1_000);
  });

  it('does not move back when responses arrive out of order', async () => {
    const { db, responses, release } = slowDatabase({ slow: 2 });
    const clock = await openBusinessClock(db);
    const first = clock.advanceSeconds(HOUR_S);
    await until('it was moved', async () => responses() === 2);
    await clock.advanceSeconds(HOUR_S);
    release();
    await first;

    expect(differenceMs(clock, await openBusinessClock(openDatabase(pool)))).toBeLessThan(1_000);
  });

  it("follows the database's clock from the first read, even if it is slow", async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + HOUR_S * 1000);
    const { db, release, responses } = slowDatabase({ slow: 1 });
    const opening = openBusinessClock(db);
    await until('it has read the clock', async () => responses() === 1);
    vi.setSystemTime(Date.now() + 600);
    release();
    const now = (await opening).now().getTime();
    vi.useRealTimers();

    const { rows } = await pool.query<{ now: Date }>('select business_now() as now');
    expect(Math.abs(now - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(5_000);
  });
});
