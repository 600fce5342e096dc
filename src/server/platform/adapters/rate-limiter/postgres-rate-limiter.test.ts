import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { networkOf, postgresRateLimiter } from './postgres-rate-limiter.ts';
import { removeExpired } from './rate-limiter.sql.ts';

const SECRET = ['secret for tests'] as const;

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = openPool(database.connectionString, () => {});
  db = openDatabase(pool);
});
beforeEach(() => db.deleteFrom('rateLimits').execute());
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** Consumes `count` points and returns the last result. */
async function consumeMany(rateLimiter: ReturnType<typeof postgresRateLimiter>, key: string, count: number) {
  let wait: number | null = null;
  for (let i = 0; i < count; i++) wait = await rateLimiter.consume('login', key);
  return wait;
}

describe('rate limits', () => {
  it('allow attempts up to the limit, then return the time to wait', async () => {
    const rateLimiter = postgresRateLimiter(db, 1, SECRET);

    expect(await consumeMany(rateLimiter, '192.0.2.1 a@example.com', 10)).toBeNull();
    const wait = await rateLimiter.consume('login', '192.0.2.1 a@example.com');

    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
  });

  it('count each key and each limit separately', async () => {
    const rateLimiter = postgresRateLimiter(db, 1, SECRET);
    await consumeMany(rateLimiter, '192.0.2.1 a@example.com', 11);

    expect(await rateLimiter.consume('login', '192.0.2.1 b@example.com')).toBeNull();
    expect(await rateLimiter.consume('login', '192.0.2.2 a@example.com')).toBeNull();
    expect(await rateLimiter.consume('register', '192.0.2.1 a@example.com')).toBeNull();
  });

  it('are shared by all servers', async () => {
    await consumeMany(postgresRateLimiter(db, 1, SECRET), '192.0.2.1', 10);

    expect(await postgresRateLimiter(db, 1, SECRET).consume('login', '192.0.2.1')).not.toBeNull();
  });

  it('hold under concurrent attempts at several servers', async () => {
    const [first, second] = [postgresRateLimiter(db, 1, SECRET), postgresRateLimiter(db, 1, SECRET)];

    const waits = await Promise.all(
      Array.from({ length: 60 }, (_, one) => (one % 2 ? first : second).consume('login', '192.0.2.1')),
    );

    expect(waits.filter((wait) => wait === null)).toHaveLength(10);
    expect(await first.consume('login', '192.0.2.2')).toBeNull();
  });

  it('scale by a factor, and are off at 0', async () => {
    expect(await consumeMany(postgresRateLimiter(db, 0.2, SECRET), 'few', 2)).toBeNull();
    expect(await consumeMany(postgresRateLimiter(db, 0.2, SECRET), 'few', 1)).not.toBeNull();
    expect(await consumeMany(postgresRateLimiter(db, 0, SECRET), 'off', 50)).toBeNull();
  });

  it('count a /64 IPv6 network as one caller', async () => {
    const rateLimiter = postgresRateLimiter(db, 1, SECRET);
    for (let host = 1; host <= 10; host++) await rateLimiter.consume('login', `2001:db8:0:7::${host} a@example.com`);

    expect(await rateLimiter.consume('login', '2001:db8:0:7:ffff::1 a@example.com')).not.toBeNull();
    expect(await rateLimiter.consume('login', '2001:db8:0:8::1 a@example.com')).toBeNull();
  });

  it('store neither IP addresses nor emails', async () => {
    await postgresRateLimiter(db, 1, SECRET).consume('login', '192.0.2.1 a@example.com');

    const [row] = await db.selectFrom('rateLimits').select('key').execute();
    expect(row?.key).toMatch(/^login:[\w-]{43}$/);
    // A plain hash could be reversed by trying every address.
    expect(row?.key).not.toBe(`login:${createHash('sha256').update('192.0.2.1 a@example.com').digest('base64url')}`);
  });

  it('continue in memory while the table is unavailable', async () => {
    const gone = await createTestDatabase();
    const unreachable = openDatabase(openPool(gone.connectionString, () => {}));
    await gone.drop();
    const rateLimiter = postgresRateLimiter(unreachable, 1, SECRET);

    expect(await consumeMany(rateLimiter, '192.0.2.1', 10)).toBeNull();
    expect(await rateLimiter.consume('login', '192.0.2.1')).not.toBeNull();
    await unreachable.destroy();
  });
});

describe('deferred rate limits', () => {
  it('allow a burst up to the limit, and sync between servers a moment later', async () => {
    const [one, other] = [postgresRateLimiter(db, 0.02, SECRET), postgresRateLimiter(db, 0.02, SECRET)];
    const waits = await Promise.all(Array.from({ length: 8 }, () => one.consume('checkout', '192.0.2.1')));

    expect(waits.filter((wait) => wait === null)).toHaveLength(6);
    expect(waits.at(-1)).toBeGreaterThan(9 * 60);
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 6 }]);

    // The other server learns the count from its first sync.
    expect(await other.consume('checkout', '192.0.2.1')).toBeNull();
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 7 }]);
    expect(await other.consume('checkout', '192.0.2.1')).toBeGreaterThan(9 * 60);
  });

  it('write nothing below a thirtieth of the limit, and then all of it', async () => {
    const rateLimiter = postgresRateLimiter(db, 1, SECRET);
    const consume = (address: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => rateLimiter.consume('checkout', address)));
    await consume('192.0.2.1', 9);
    await consume('192.0.2.2', 10);
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 10 }]);

    await consume('192.0.2.1', 1);
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toHaveLength(2);
    const [next] = await consume('192.0.2.1', 291);
    expect(next).toBeNull();
    expect(await rateLimiter.consume('checkout', '192.0.2.1')).not.toBeNull();
  });

  it('continue in memory while the table is unavailable', async () => {
    const gone = await createTestDatabase();
    const unreachable = openDatabase(openPool(gone.connectionString, () => {}));
    await gone.drop();
    const rateLimiter = postgresRateLimiter(unreachable, 0.01, SECRET);

    const waits = await Promise.all([1, 2, 3, 4].map(() => rateLimiter.consume('checkout', '192.0.2.1')));
    await new Promise((resolve) => setTimeout(resolve, 300));
    waits.push(await rateLimiter.consume('checkout', '192.0.2.1'));

    expect(waits.map((wait) => wait === null)).toEqual([true, true, true, false, false]);
    await unreachable.destroy();
  });
});

describe('rate limits of servers whose clocks differ by more than a window', () => {
  const APART_MS = 20 * 60_000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('are shared, with the same time to wait', async () => {
    const [slow, fast] = [postgresRateLimiter(db, 1, SECRET), postgresRateLimiter(db, 1, SECRET)];
    await consumeMany(slow, '192.0.2.1', 10);
    vi.setSystemTime(Date.now() + APART_MS);

    const wait = await fast.consume('login', '192.0.2.1');

    expect(wait).toBeGreaterThan(14 * 60);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    await removeExpired(db);
    expect(await db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 11 }]);
  });

  it('are shared when deferred', async () => {
    const [slow, fast] = [postgresRateLimiter(db, 0.02, SECRET), postgresRateLimiter(db, 0.02, SECRET)];
    for (let n = 0; n < 5; n++) await slow.consume('checkout', '192.0.2.1');
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 5 }]);
    vi.setSystemTime(Date.now() + APART_MS);

    expect(await fast.consume('checkout', '192.0.2.1')).toBeNull();
    await expect.poll(() => db.selectFrom('rateLimits').select('points').execute()).toEqual([{ points: 6 }]);
    const wait = await fast.consume('checkout', '192.0.2.1');

    expect(wait).toBeGreaterThan(9 * 60);
    expect(wait).toBeLessThanOrEqual(10 * 60);
  });
});

describe('networkOf', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0007:1:2:3:4', '2001:db8:0:7::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['a@example.com', 'a@example.com'],
  ])('maps %s to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
