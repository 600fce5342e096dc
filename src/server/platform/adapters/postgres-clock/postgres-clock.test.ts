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

/** A database of whose answers one stays on its way until `letGo`. */
function slowDatabase({ slow }: { slow: number }): { db: Db; answers: () => number; letGo: () => void } {
  const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
  let answers = 0;
  const db = openDatabase(pool).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers += 1;
      if (answers === slow) await gone;
      return result;
    },
  });
  return { db, answers: () => answers, letGo };
}

const apartMs = (one: Clock, other: Clock) => Math.abs(one.now().getTime() - other.now().getTime());

const HOUR_S = 3_600;

describe('the clock of one of several processes', () => {
  it('is on time when another moves it between the first look and its answer', async () => {
    const other = await openBusinessClock(openDatabase(pool));
    const { db, answers, letGo } = slowDatabase({ slow: 1 });
    const opening = openBusinessClock(db, changes);
    await until('it has looked', async () => answers() === 1);

    await other.advanceSeconds(HOUR_S);
    await until('it has looked again', async () => answers() === 2, 5);
    letGo();

    expect(apartMs(await opening, other)).toBeLessThan(1_000);
  });

  it('is not taken back by the answer to a move that another one has overtaken', async () => {
    const { db, answers, letGo } = slowDatabase({ slow: 2 });
    const clock = await openBusinessClock(db);
    const first = clock.advanceSeconds(HOUR_S);
    await until('it was moved', async () => answers() === 2);
    await clock.advanceSeconds(HOUR_S);
    letGo();
    await first;

    expect(apartMs(clock, await openBusinessClock(openDatabase(pool)))).toBeLessThan(1_000);
  });

  it("is the database's from the first look on, also where that look is slow", async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + HOUR_S * 1000);
    const { db, letGo, answers } = slowDatabase({ slow: 1 });
    const opening = openBusinessClock(db);
    await until('it has looked', async () => answers() === 1);
    vi.setSystemTime(Date.now() + 600);
    letGo();
    const now = (await opening).now().getTime();
    vi.useRealTimers();

    const { rows } = await pool.query<{ now: Date }>('select business_now() as now');
    expect(Math.abs(now - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(5_000);
  });
});
