import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool, type Pool } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { batchOf64, oneStatement } from './harness/baseline-reservation.ts';
import type { Benchmark, Round } from './harness/benchmark.ts';
import { ordersOf, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { Latencies } from './harness/latencies.ts';
import { readAnswer } from './harness/load.ts';
import { runFromNode } from './harness/pgbench.ts';
import { missed } from './harness/report.ts';
import { benchmarkNames, runBenchmark, startRunningSeveral } from './harness/run-benchmark.ts';
import { runRounds } from './harness/run-rounds.ts';
import { wrongOrderCount } from './harness/tallied.ts';

const SMOKE = { smoke: true, rounds: 1, seconds: 0.1 };
/** Runs in its own processes, like `npm run bench`: two app processes and the sandbox. */
const IN_ITS_OWN = 'sellout';

describe('every benchmark', () => {
  let several: Awaited<ReturnType<typeof startRunningSeveral>>;
  beforeAll(async () => {
    several = await startRunningSeveral();
  });
  afterAll(() => several.stop());

  it.each(benchmarkNames)(
    '%s runs with correct totals',
    async (name) => {
      const { rows, wrong } = await (name === IN_ITS_OWN ? runBenchmark : several.run)(name, SMOKE);

      expect(wrong).toEqual([]);
      expect(rows).not.toEqual([]);
      for (const row of rows) {
        expect(row).toMatchObject({ exact: true, rounds: 1, baseline: expect.any(String), unit: expect.any(String) });
        expect(row.name.split('/')[0]).toBe(name);
        // An infinite number or NaN does not survive the message between processes.
        for (const figure of [row.ratio, row.value, row.target, row.min, row.max]) expect(figure).toBeTypeOf('number');
      }
    },
    120_000,
  );
});

/** Two contestants that return the numbers of `rounds`. */
function fakeBenchmark(
  target: { atLeast: number } | { atMost: number },
  rounds: [number, number][],
  wrong: string[][],
) {
  const order: string[] = [];
  let round = -1;
  const contestant = (name: string, index: 0 | 1) => async () => {
    if (order.length % 2 === 0) round++;
    order.push(name);
    return { perSecond: rounds[round]?.[index] ?? 0 };
  };
  const bench: Benchmark = {
    name: 'invented',
    what: 'Nothing.',
    metrics: [
      {
        target,
        baseline: 'the other',
        ratio: (both: Round) => (both['one']?.perSecond ?? 0) / (both['other']?.perSecond ?? 0),
        value: (both: Round) => both['one']?.perSecond ?? 0,
        unit: 'a second',
      },
    ],
    open: async () => ({
      contestants: { one: contestant('one', 0), other: contestant('other', 1) },
      check: async () => wrong[round] ?? [],
      close: async () => {},
    }),
  };
  return { bench, order };
}

const ROUNDS: [number, number][] = [
  [100, 10],
  [400, 20],
  [90, 30],
];
const QUIET = { smoke: true, rounds: 3, seconds: 1 };

describe('the rounds', () => {
  it('compare within each round and take the median', async () => {
    const { bench } = fakeBenchmark({ atLeast: 8 }, ROUNDS, []);

    const { rows, wrong } = await runRounds(bench, QUIET);

    expect(wrong).toEqual([]);
    expect(rows).toMatchObject([
      { ratio: 10, min: 3, max: 20, value: 100, rounds: 3, target: 8, met: true, exact: true },
    ]);
  });

  it('alternate the order of the contestants', async () => {
    const { bench, order } = fakeBenchmark({ atLeast: 8 }, ROUNDS, []);

    await runRounds(bench, QUIET);

    expect(order).toEqual(['one', 'other', 'other', 'one', 'one', 'other']);
  });

  it('fail and name the round if a total was wrong', async () => {
    const { bench } = fakeBenchmark({ atLeast: 8 }, ROUNDS, [[], ['7 tickets too many']]);

    const { rows, wrong } = await runRounds(bench, QUIET);

    expect(rows[0]?.exact).toBe(false);
    expect(wrong).toEqual(['invented, round 2: 7 tickets too many']);
  });

  it.each([
    [{ atLeast: 11 }, 'Missed: invented is 10, the target is at least 11.'],
    [{ atMost: 9 }, 'Missed: invented is 10, the target is at most 9.'],
  ])('say which target %o was missed', async (target, message) => {
    const { rows } = await runRounds(fakeBenchmark(target, ROUNDS, []).bench, QUIET);

    expect(missed(rows)).toEqual([message]);
  });
});

describe('a missing measurement', () => {
  it.each([{ atLeast: 2 }, { atMost: 100 }])('misses its target %o even if only one round lacks it', async (target) => {
    const unknown: [number, number] = [Number.NaN, 10];
    const { bench } = fakeBenchmark(target, [unknown, [400, 20], [90, 30]], []);

    const { rows } = await runRounds(bench, QUIET);

    expect(rows).toMatchObject([{ ratio: Number.NaN, met: false }]);
    expect(missed(rows)).toEqual([expect.stringContaining('invented is NaN')]);
  });

  it('has no latency instead of 0', () => {
    expect(new Latencies().sample(1)).toEqual({ perSecond: 0, count: 0 });
  });
});

describe('an HTTP answer', () => {
  const whole = 'HTTP/1.1 409 Conflict\r\nContent-Length: 4\r\n\r\nnone';
  it.each([
    [whole, { status: 409, body: 'none' }],
    [whole.slice(0, -1), undefined],
    ['HTTP/1.1 304 Not Modified\r\netag: "1"\r\n\r\n', { status: 304, body: '' }],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n', undefined],
    [
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      { status: 200, body: '2\r\nok\r\n0\r\n\r\n' },
    ],
    ['HTTP/1.1 200 OK\r\ncontent-le', undefined],
  ])('is read once it is complete: %j', (bytes, answer) => {
    const read = readAnswer(Buffer.from(bytes));

    expect(read && { ...read, body: read.body.toString() }).toEqual(answer);
  });
});

describe('the SQL reservation', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = openPool(database.connectionString, () => {});
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('writes what the app writes and does not oversell', async () => {
    const [event] = await putOnSale(pool, { quantity: 7 });
    if (!event) throw new Error('no event');

    for (let times = 0; times < 3; times++) await pool.query(oneStatement(event).replaceAll(':quantity', '3'));

    expect(await ordersOf(pool, event.eventId)).toEqual({ reserved: 2 });
    expect((await pool.query('select reserved from ticket_types where event_id = $1', [event.eventId])).rows).toEqual([
      { reserved: 6 },
    ]);
    expect(await wrongStock(pool)).toEqual([]);
  });

  it('reserves 64 carts at once, or none', async () => {
    const [event] = await putOnSale(pool, { quantity: 64 * 4 });
    if (!event) throw new Error('no event');

    for (let times = 0; times < 5; times++) await pool.query(batchOf64(event));

    expect([64, 128]).toContain((await ordersOf(pool, event.eventId))['reserved']);
    expect(await wrongStock(pool)).toEqual([]);
  });

  it('is sent from Node without pgbench', async () => {
    const [event] = await putOnSale(pool);
    if (!event) throw new Error('no event');

    const { connectionString } = database;
    const sample = await runFromNode({
      statement: oneStatement(event),
      connectionString,
      connections: 16,
      seconds: 0.1,
    });

    expect(sample['count']).toBeGreaterThan(0);
    expect(await ordersOf(pool, event.eventId)).toEqual({ reserved: sample['count'] });
    expect(await wrongStock(pool)).toEqual([]);
  });

  it('is sent from Node without pgbench even without a random quantity', async () => {
    const [event] = await putOnSale(pool);
    if (!event) throw new Error('no event');

    const { connectionString } = database;
    const baseline = { statement: batchOf64(event), connectionString, connections: 1, seconds: 0.1, worth: 64 };
    const sample = await runFromNode(baseline);

    expect(await ordersOf(pool, event.eventId)).toEqual({ reserved: sample['count'] });
  });

  it('is compared with the answers, and fails without any sale', async () => {
    const [event] = await putOnSale(pool);
    if (!event) throw new Error('no event');
    const wrongCount = (reserved: number) => wrongOrderCount(pool, [event], reserved);

    expect(await wrongCount(0)).toEqual(['no cart was confirmed, there are 0 orders']);
    for (let times = 0; times < 2; times++) await pool.query(oneStatement(event).replaceAll(':quantity', '3'));

    expect(await wrongCount(2)).toEqual([]);
    expect(await wrongCount(3)).toEqual(['3 carts were confirmed, there are 2 orders']);
    expect(await wrongCount(Number.NaN)).toEqual([expect.stringContaining('there are 2 orders')]);
  });

  it('is caught by the checks if it oversells', async () => {
    const [event] = await putOnSale(pool, { quantity: 7 });
    if (!event) throw new Error('no event');
    await pool.query(oneStatement(event).replaceAll(':quantity', '3'));

    await pool.query('update ticket_types set reserved = 2 where event_id = $1', [event.eventId]);
    await pool.query(
      `insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at) values ($1, $2, 'reserved', 5, now(), now())`,
      [event.eventId, newId()],
    );

    expect(await wrongStock(pool)).toEqual([
      expect.stringContaining('2 reserved, 3 in orders, of 7'),
      expect.stringContaining('5 cents, its lines sum to'),
    ]);
  });
});
