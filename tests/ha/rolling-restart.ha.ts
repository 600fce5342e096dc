/** Two servers behind HAProxy are restarted one after the other, and killed, while buyers buy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { freePort } from '#tests/support/free-port.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { eventForm, eventOnSale } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { sendBuyers } from './buyers.ts';
import { type Haproxy, openHaproxy } from './open-haproxy.ts';

const ROUNDS = Number(process.env.HA_ROUNDS ?? 10);
const PER_SECOND = Number(process.env.HA_BUYERS ?? 20);
const KILLS = 5;
/** Until the killed server is started again. */
const DOWN_MS = 5_000;
const CAPACITY = 50_000;
const APP_SECRET = 'a secret for both servers of more than 32 characters';

let database: TestDatabase;
let db: Db;
let one: Product;
let two: Product;
let haproxy: Haproxy;
let origin: string;
let eventId: string;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  database = await createTestDatabase();
  db = openDatabase(openPool(database.connectionString, () => {}));
  const start = () =>
    startProduct({
      DATABASE_URL: database.connectionString,
      APP_SECRET,
      PUBLIC_URL: origin,
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '5',
      RATE_LIMIT_SCALE: '0',
      // Buyers reach the sandbox's payment page through HAProxy.
      SANDBOX_OPEN: '1',
    });
  [one, two] = await Promise.all([start(), start()]);
  haproxy = await openHaproxy(port, [portOf(one), portOf(two)]);
  const site = siteOf({ ...one, url: origin });
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  ({ eventId } = await eventOnSale(site, { tickets: [{ ...hall, ticketQuantity: CAPACITY }] }));
});
afterAll(async () => {
  await haproxy?.close();
  await Promise.all([one?.remove(), two?.remove()]);
  await db?.destroy();
  await database?.drop();
});

const portOf = ({ url }: Product) => Number(new URL(url).port);

describe('Buyers meet no failure', () => {
  it(`while two servers are restarted ${ROUNDS} times each`, async () => {
    const buyers = sendBuyers(origin, eventId, { perSecond: PER_SECOND });
    for (let round = 0; round < ROUNDS; round++) {
      await restart('one', one);
      await restart('two', two);
    }
    await buyers.stop();

    const { completed } = buyers;
    const { made, failures } = buyers.calls;
    if (failures.length) process.stdout.write(one.output() + two.output());
    process.stdout.write(`${made} calls, ${failures.length} failed, ${completed.length} orders\n`);
    expect(failures).toEqual([]);
    expect(completed.length).toBeGreaterThan(ROUNDS * PER_SECOND);
    expect(await withoutTickets(completed.map(({ sessionId }) => sessionId))).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
  });
});

describe('A killed server', () => {
  it(`fails only what it was answering, ${KILLS} times, and buyers get their tickets when they repeat it`, async () => {
    const buyers = sendBuyers(origin, eventId, { perSecond: PER_SECOND, isPatient: true });
    let underway = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(DOWN_MS);
      underway += buyers.calls.underway;
      await two.kill();
      await sleep(DOWN_MS);
      await two.start();
      await haproxy.untilUsed('two', true);
    }
    await buyers.stop();
    await siteOf(one).settle();

    const { completed, lost } = buyers;
    const { made, failures } = buyers.calls;
    process.stdout.write(
      `${made} calls, ${underway} underway when killed, ${failures.length} failed, ${completed.length} orders\n`,
    );
    expect(failures.slice(underway)).toEqual([]);
    expect(lost).toBe(0);
    expect(await withoutTickets(completed.map(({ sessionId }) => sessionId))).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
  });
});

/** As an operator would: the next server follows when this one serves again. */
async function restart(name: 'one' | 'two', server: Product): Promise<void> {
  await server.restart();
  await haproxy.untilUsed(name, true);
}

async function withoutTickets(sessions: readonly string[]): Promise<string[]> {
  const sold = await db
    .selectFrom('orders as o')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'o.eventId').onRef('t.orderId', '=', 'o.id'))
    .where('o.eventId', '=', eventId)
    .select('o.sessionId')
    .execute();
  const withTickets = new Set(sold.map(({ sessionId }) => sessionId));
  return sessions.filter((session) => !withTickets.has(session));
}
