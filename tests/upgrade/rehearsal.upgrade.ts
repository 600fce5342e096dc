/** Two servers behind HAProxy roll from the previous release to this one, back, and forward again while people use them. */
import { execFile } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localTimeOf } from '#domain/local-time.ts';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { sendBuyers } from '#tests/ha/buyers.ts';
import { type Haproxy, openHaproxy } from '#tests/ha/open-haproxy.ts';
import { freePort } from '#tests/support/free-port.ts';
import { until } from '#tests/support/metrics.ts';
import { attendantOf, eventForm, eventOnSale } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { sendStaff } from './staff.ts';

const PER_SECOND = Number(process.env.UPGRADE_BUYERS ?? 5);
const CAPACITY = 50_000;
const HOUR = 60 * 60 * 1000;
const NEW = fileURLToPath(new URL('../..', import.meta.url));
/** The unpacked previous release. */
const OLD = process.env.UPGRADE_FROM ?? '';

const ROLLS = [
  ['forward', NEW],
  ['back', OLD],
  ['forward again', NEW],
] as const;

/** What this release built itself. */
const BUILT = new Set(builtFilesOf(NEW));

let database: TestDatabase;
let db: Db;
let environment: Record<string, string>;
let one: Product;
let two: Product;
let haproxy: Haproxy;
let origin: string;
let sale: Awaited<ReturnType<typeof eventOnSale>>;

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  // Empty: the previous release makes the schema.
  database = await createTestDatabase('template1');
  db = openDatabase(openPool(database.connectionString, () => {}));
  environment = {
    DATABASE_URL: database.connectionString,
    APP_SECRET: 'a secret for both servers of more than 32 characters',
    PUBLIC_URL: origin,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '5',
    RATE_LIMIT_SCALE: '0',
    // Buyers reach the sandbox's payment page through HAProxy.
    SANDBOX_OPEN: '1',
  };
  const startOld = () => startProduct(environment, 'src/server/main/main.ts', OLD);
  [one, two] = await Promise.all([startOld(), startOld()]);
  haproxy = await openHaproxy(port, [portOf(one), portOf(two)]);
  const site = siteOf({ ...one, url: origin });
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  const soon = localTimeOf(new Date(site.now().getTime() + HOUR), 'America/New_York');
  const tickets = [{ ...hall, ticketQuantity: CAPACITY }];
  sale = await eventOnSale(site, { tickets, startDate_startTime: soon });
});
afterAll(async () => {
  await haproxy?.close();
  await Promise.all([one?.remove(), two?.remove()]);
  await db?.destroy();
  await database?.drop();
  for (const file of builtFilesOf(NEW)) if (!BUILT.has(file)) rmSync(path.join(staticOf(NEW), file), { force: true });
});

const portOf = ({ url }: Product) => Number(new URL(url).port);

describe('People meet no failure', () => {
  it('while two servers roll from one release to the next, back, and forward again', async () => {
    const { eventId, visitor: organizer, attendantCode } = sale;
    const attendant = await attendantOf(siteOf({ ...one, url: origin }), eventId, attendantCode);
    const buyers = sendBuyers(origin, eventId, { perSecond: PER_SECOND });
    const staff = sendStaff(origin, { eventId, organizer, attendant }, buyers.completed);
    const problems: string[] = [];
    try {
      for (const [step, folder] of ROLLS) {
        keepFilesOf(folder === NEW ? OLD : NEW, folder);
        await replace('one', one, folder);
        // Both releases serve until enough has been sold by both.
        const sold = buyers.completed.length;
        await until('buyers have bought', async () => buyers.completed.length > sold + 2 * PER_SECOND, 60);
        problems.push(...(await problemsOf(`${step}, half way`)));
        await replace('two', two, folder);
        problems.push(...(await problemsOf(step)));
        process.stdout.write(`${step}: ${buyers.completed.length} orders, ${staff.admitted.length} admitted\n`);
      }
    } finally {
      await Promise.all([buyers.stop(), staff.stop()]);
      problems.push(...buyers.calls.failures, ...staff.calls.failures);
      if (problems.length) process.stdout.write(one.output() + two.output() + problems.join('\n'));
    }
    await siteOf(one).settle();

    process.stdout.write(`${buyers.calls.made + staff.calls.made} calls, ${problems.length} problems\n`);
    expect(problems).toEqual([]);
    expect(await problemsOf('at the end')).toEqual([]);
    expect(
      await statesOf(
        buyers.completed.map(({ sessionId }) => sessionId),
        staff.admitted,
      ),
    ).toEqual({
      orders: buyers.completed.length,
      tickets: buyers.completed.length,
      scanned: staff.admitted.length,
    });
    expect(staff.admitted.length).toBeGreaterThan(PER_SECOND);
  });
});

/** As an operator would: the next server follows when this one serves again. */
async function replace(name: 'one' | 'two', server: Product, folder: string): Promise<void> {
  await server.stop();
  await server.start(folder);
  await haproxy.untilUsed(name, true);
}

function staticOf(folder: string): string {
  return path.join(folder, 'dist/web/static');
}

function builtFilesOf(folder: string): string[] {
  return readdirSync(staticOf(folder), { recursive: true, encoding: 'utf8' });
}

/** As docs/running.md says: for pages that are open when the last server of the other release stops. */
function keepFilesOf(other: string, folder: string): void {
  cpSync(staticOf(other), staticOf(folder), { recursive: true, force: false });
}

/** What the doctors of both releases find. */
async function problemsOf(step: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [OLD, NEW]) {
    const env = { ...process.env, ...environment, DATA_DIR: one.dataDir };
    const answer = await promisify(execFile)(process.execPath, ['scripts/run-checks.mjs'], { cwd: folder, env }).catch(
      (error: Error & { stdout: string }) => error,
    );
    const lines = answer.stdout.split('\n').filter((line) => line.startsWith('FAIL'));
    if (answer instanceof Error && lines.length === 0) lines.push(answer.message);
    found.push(
      ...lines.map((line) => `${step}, doctor of ${folder === OLD ? 'the previous' : 'this'} release: ${line}`),
    );
  }
  return found;
}

async function statesOf(sessions: readonly string[], codes: readonly string[]) {
  const tickets = await db
    .selectFrom('orders as o')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'o.eventId').onRef('t.orderId', '=', 'o.id'))
    .where('o.eventId', '=', sale.eventId)
    .select(['o.sessionId', 't.confirmationNumber', 't.state'])
    .execute();
  const completed = new Set(sessions);
  const scanned = new Set(codes);
  const ofBuyers = tickets.filter(({ sessionId }) => sessionId !== null && completed.has(sessionId));
  return {
    orders: new Set(ofBuyers.map(({ sessionId }) => sessionId)).size,
    tickets: ofBuyers.length,
    scanned: tickets.filter(({ confirmationNumber, state }) => scanned.has(confirmationNumber) && state === 'scanned')
      .length,
  };
}
