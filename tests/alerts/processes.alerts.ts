/** Faults of servers: killed, restarted, frozen, overloaded, blocked, and of two versions. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { newId } from '#server/platform/ids.ts';
import { METRICS_TOKEN, until, workersOf } from '#tests/support/metrics.ts';
import { attendantOf, eventForm, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { query } from '#tests/support/query.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { sendCrowd } from './crowd.ts';
import { holdLock } from './lock.ts';
import { openPrometheus, type Prometheus } from './prometheus/open-prometheus.ts';
import { type Fault, seeFireAndClear } from './see-alert.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let database: TestDatabase;
let prometheus: Prometheus;
/** Two workers. */
let pair: Product;
/** One process. */
let single: Product;
let sale: Awaited<ReturnType<typeof eventOnSale>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const environment = {
    DATABASE_URL: database.connectionString,
    APP_SECRET: 'a secret for both servers of more than 32 characters',
    METRICS_TOKEN,
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'silent',
  };
  [pair, single] = await Promise.all([startProduct({ ...environment, WORKERS: '2' }), startProduct(environment)]);
  const site = siteOf(single);
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  sale = await eventOnSale(site, { tickets: [{ ...hall, ticketQuantity: 50_000 }] });
  prometheus = await openPrometheus([pair, single]);
});
afterAll(async () => {
  await prometheus?.close();
  await Promise.all([pair?.remove(), single?.remove()]);
  await database?.drop();
});

const logIn = () => siteOf(single).call(login, { email: 'guess@example.com', password: 'not the password' });

const checkOut = () =>
  siteOf(single).call(createCheckoutSession, {
    eventId: sale.eventId,
    cartId: newId(),
    cartItems: generalAdmission(1),
  });

const lockSale = () =>
  holdLock(database.connectionString, `select from ticket_types where event_id = '${sale.eventId}' for update`);

const faults: Fault[] = [
  {
    alerts: ['HandstampDown'],
    fault: 'a server is killed',
    async fail() {
      await pair.kill();
      return () => pair.start();
    },
  },
  {
    alerts: ['HandstampRestarting'],
    fault: 'a worker is killed again and again',
    async fail() {
      for (let times = 0; times < 3; times++) await killWorker('2');
      return async () => {};
    },
  },
  {
    alerts: ['HandstampErrors'],
    fault: 'a table lost its grants, as after a restore without them',
    async fail() {
      await query(database.connectionString, 'revoke select on users from handstamp_app');
      const crowd = sendCrowd(2, logIn);
      return async () => {
        await crowd.stop();
        // A start grants them again.
        await single.restart();
      };
    },
  },
  {
    alerts: ['HandstampOverloaded'],
    fault: 'more logins come than two processors take',
    async fail() {
      const crowd = sendCrowd(180, logIn, 200);
      return () => crowd.stop();
    },
  },
  {
    alerts: ['HandstampOverloaded'],
    fault: 'a sale is locked while a thousand buyers come',
    async fail() {
      const release = await lockSale();
      const crowd = sendCrowd(1_000, checkOut, 1_000);
      return async () => {
        await release();
        await crowd.stop();
      };
    },
  },
  {
    alerts: ['HandstampCheckoutsSlow'],
    fault: 'the rows of a ticket type are locked for seconds at a time',
    async fail() {
      const crowd = sendCrowd(20, checkOut, 50);
      const locks = sendCrowd(
        1,
        async () => {
          const release = await lockSale();
          await sleep(3_500);
          await release();
        },
        100,
      );
      return () => Promise.all([crowd.stop(), locks.stop()]);
    },
  },
  {
    alerts: ['HandstampEventLoopLate'],
    fault: 'a process is stopped for 0.7 s of every second',
    async fail() {
      const stops = sendCrowd(
        1,
        async () => {
          process.kill(single.pid(), 'SIGSTOP');
          await sleep(700);
          process.kill(single.pid(), 'SIGCONT');
        },
        300,
      );
      return () => stops.stop();
    },
  },
  {
    alerts: ['HandstampConnectionsExhausted'],
    fault: 'a table is locked that every login reads',
    async fail() {
      const crowd = sendCrowd(60, logIn);
      const release = await holdLock(database.connectionString, 'lock table users in access exclusive mode');
      return async () => {
        await release();
        await crowd.stop();
      };
    },
  },
  {
    alerts: ['HandstampBatchesLate'],
    fault: 'tickets are locked while over a thousand scans come in',
    async fail() {
      const attendant = await attendantOf(siteOf(single), sale.eventId, sale.attendantCode);
      const release = await holdLock(database.connectionString, 'lock table tickets in exclusive mode');
      const scan = { eventId: sale.eventId, confirmationNumber: 'ABCDEFGHJK' };
      const crowd = sendCrowd(1_300, () => attendant.call(checkGuest, { ...scan, scanId: newId() }), 1_000);
      return async () => {
        await release();
        await crowd.stop();
      };
    },
  },
  {
    alerts: ['HandstampVersionsMixed'],
    fault: 'one of two servers runs another commit',
    async fail() {
      const folder = otherCommit();
      await single.stop();
      await single.start(folder);
      return async () => {
        await single.stop();
        await single.start(ROOT);
        rmSync(folder, { recursive: true, force: true });
      };
    },
  },
];

describe('A fault of a server', () => {
  it.each(faults)('makes its alerts fire until it is mended: $fault', (fault) => seeFireAndClear(prometheus, fault));
});

/** Resolves once Prometheus has seen its successor. */
async function killWorker(slot: string): Promise<void> {
  const started = () =>
    prometheus.query(`process_start_time_seconds{process="${slot}",instance="127.0.0.1:${new URL(pair.url).port}"}`);
  const [before] = await started();
  const pid = (await workersOf(pair)).get(slot);
  if (before === undefined || pid === undefined) throw new Error(`worker ${slot} doesn't run`);
  process.kill(pid, 'SIGKILL');
  await until('the worker is replaced', async () => {
    const [now] = await started();
    return now !== undefined && now !== before;
  });
}

/** A copy of this checkout that says it is another commit, as `git archive` writes it. */
function otherCommit(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-other-'));
  for (const name of ['src', 'migrations', 'scripts', 'package.json', 'dist'])
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'commit.txt'), `${'0'.repeat(39)}1\n`);
  return folder;
}
