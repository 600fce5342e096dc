/**
 * The app for one test file: its own database, the real HTTP server on loopback, the sandbox behind it, and a clock
 * that the test moves. Tests act through the API.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { type DestinationStream, pino } from 'pino';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import type { RefundCosts } from '#domain/payouts/refund-costs.ts';
import { startSandbox } from '#sandbox/start-sandbox.ts';
import { buildApp } from '#server/main/app.ts';
import { openFiles } from '#server/main/open-files.ts';
import { openLog } from '#server/main/open-log.ts';
import { SCHEDULE, startWorker } from '#server/main/worker.ts';
import { inboxRoutes } from '#server/platform/adapters/inbox/inbox.routes.ts';
import { inboxMailer } from '#server/platform/adapters/inbox/inbox-mailer.ts';
import { openPostgresChanges } from '#server/platform/adapters/postgres-changes/postgres-changes.ts';
import { openBusinessClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { stripeBalanceTransactions } from '#server/platform/adapters/stripe/balance-transactions.ts';
import { stripePaymentProcessor } from '#server/platform/adapters/stripe/payment-processor.ts';
import { stripePayoutAccounts } from '#server/platform/adapters/stripe/payout-accounts.ts';
import { createStripeClient } from '#server/platform/adapters/stripe/stripe-client.ts';
import { httpsWebhookSender } from '#server/platform/adapters/webhooks/https-webhook-sender.ts';
import { zipTableGeocoder } from '#server/platform/adapters/zip-table/zip-table-geocoder.ts';
import { APPLICATION_ROLE } from '#server/platform/application-role.sql.ts';
import type { NetworkLimits } from '#server/platform/client-network.ts';
import type { BucketSettings } from '#server/platform/config.ts';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { securityTxt } from '#server/platform/http/security-txt.ts';
import { QUEUE_TIMES } from '#server/platform/jobs/queue-times.ts';
import type { Wallets } from '#server/platform/ports/wallets.ts';
import type { WebhookSender } from '#server/platform/ports/webhook-sender.ts';
import { type AppSecret, sandboxKeys } from '#server/platform/secrets.ts';
import { freePort } from './free-port.ts';
import { Visitor } from './http-visitor.ts';
import { moveClock } from './move-clock.ts';
import type { Site } from './people.ts';
import { createDatabaseWithOrganizers } from './ready-organizers.ts';
import { createTestDatabase, makeDataDirectory, type TestDatabase } from './test-database.ts';

export interface TestAppOptions {
  /** False starts on an empty database, for tests that count rows. */
  hasOrganizers?: boolean;
  /** Scale of the rate limits on guessing; off unless a test covers them. */
  rateLimitScale?: number;
  /** Strict where money is real; payments still go to the sandbox. */
  takesRealMoney?: boolean;
  /** Limits per client network. This machine, where tests run, has none: see `trustedProxies`. */
  networkLimits?: NetworkLimits;
  /** Proxies in front that set `X-Forwarded-For`: the test then chooses client addresses. */
  trustedProxies?: number;
  refundDelayMinutes?: number;
  refundCosts?: RefundCosts;
  payoutBrakes?: Partial<PayoutBrakes>;
  publishesFunds?: boolean;
  /** Without it, no wallet is offered. */
  wallets?: Wallets;
  /** Without it, webhooks may be received on this machine. */
  webhooks?: WebhookSender;
  /** Rate at which payment pages open; without it, immediately. */
  pagesPerSecond?: number | null;
  /** False leaves queued jobs alone until the test starts `worker`. */
  runsJobs?: boolean;
  /** True runs the scheduled jobs by the machine's clock; otherwise a test queues them, so that none runs in its middle. */
  isScheduled?: boolean;
  /** Who is emailed about problems, and the doctor's checks that fail. */
  alerts?: Pick<Deps, 'alertEmail' | 'findFailedChecks'>;
  /** File in which the sandbox records every exchange with the app. */
  recordFile?: string | null;
  /** Folder of the built web app, for tests of pages; without it only the API is served. */
  webRoot?: string;
  /** Secrets of the app and its jobs, the first of which signs. */
  appSecret?: AppSecret;
  /** Where photos are kept instead of the disk. */
  bucket?: BucketSettings | null;
  /** How long a statement waits for a row; by default a minute. */
  lockTimeoutMs?: number;
  /** Receives every log line, at all levels. */
  logTo?: DestinationStream | null;
}

export interface TestApp extends Site {
  db: Db;
  deps: Deps;
  server: FastifyInstance;
  /** Folder of the photo files. */
  photoFolder: string;
  /** Address of the sandbox's API, including clock and faults. */
  sandboxUrl: string;
  /** Moves the clock shared by app and sandbox forward. */
  advance(time: { seconds?: number; minutes?: number; hours?: number; days?: number }): Promise<void>;
  /** Resolves once a statement waits for a lock, which means that a race is held open. */
  untilBlocked(count?: number): Promise<void>;
  /** Stops the worker and its schedule; queued jobs then wait. */
  endJobs(): Promise<void>;
  /** Stops the worker and starts it again. */
  restartJobs(): Promise<void>;
  close(): Promise<void>;
}

const MAIL_FROM = 'Handstamp <tickets@handstamp.example>';
/** A schedule of once in four years. */
const NOT_IN_A_TEST = '0 0 29 2 *';
const APP_SECRET = ['a secret for tests only of more than 32 characters'] as const;

export async function startTestApp({ hasOrganizers = true, ...options }: TestAppOptions = {}): Promise<TestApp> {
  if (!hasOrganizers) return startTestAppOn(await createTestDatabase(), options);
  const { database, organizers } = await createDatabaseWithOrganizers(startTestAppOn);
  return { ...(await startTestAppOn(database, options)), organizers };
}

async function startTestAppOn(
  database: TestDatabase,
  {
    rateLimitScale = 0,
    takesRealMoney = false,
    networkLimits = { unpaidTickets: 20, waitingRoomPasses: 8, openCheckouts: 10 },
    trustedProxies = 0,
    refundDelayMinutes = 0,
    refundCosts = 'platform',
    payoutBrakes = {},
    publishesFunds = true,
    pagesPerSecond = null,
    runsJobs = true,
    isScheduled = false,
    wallets = { apple: null, google: null },
    webhooks = httpsWebhookSender({ allowsLoopback: true }),
    alerts = { alertEmail: null, findFailedChecks: async () => [] },
    recordFile = null,
    webRoot,
    bucket = null,
    logTo = null,
    lockTimeoutMs = 60_000,
    appSecret = APP_SECRET,
  }: TestAppOptions = {},
): Promise<TestApp> {
  // A test may hold a lock or a transaction for as long as a busy machine needs.
  const address = new URL(database.connectionString);
  address.searchParams.set('lock_timeout', String(lockTimeoutMs));
  address.searchParams.set('idle_in_transaction_session_timeout', '60000');
  const pool = openPool(address.href, () => {}, APPLICATION_ROLE);
  const db = openDatabase(pool);
  // The test reads and locks rows on separate connections, because the app's may all be waiting. They belong to the
  // database owner.
  const testPool = openPool(address.href, () => {});
  const log = logTo ? openLog('trace', logTo) : pino({ level: process.env['LOG_LEVEL'] ?? 'fatal' });
  const changes = await openPostgresChanges(pool, log);
  const clock = await openBusinessClock(db);
  const port = await freePort();
  const dataDir = makeDataDirectory();
  const photoFolder = join(dataDir, 'photos');
  const files = await openFiles({ bucket, dataDir });
  const publicUrl = `http://127.0.0.1:${port}`;

  const keys = sandboxKeys(appSecret);
  const sandbox = await startSandbox({
    pool,
    clock,
    ...keys,
    apiPort: 0,
    webhookUrl: `${publicUrl}/api/webhooks/stripe`,
    publicUrl,
    isConsoleOpen: true,
    recordFile,
  });
  const stripe = createStripeClient({
    secretKey: keys.secretKey,
    api: { host: '127.0.0.1', port: sandbox.apiPort, protocol: 'http' },
  });
  const deps: Deps = {
    db,
    clock,
    changes,
    publicUrl,
    takesRealMoney,
    appSecret,
    log,
    paymentProcessor: stripePaymentProcessor(stripe, {
      webhookSecrets: [keys.webhookSecret],
      publicUrl,
      clock,
      appSecret,
      isLive: false,
    }),
    payoutAccounts: stripePayoutAccounts(stripe, { publicUrl }),
    balanceTransactions: stripeBalanceTransactions(stripe, appSecret),
    refundDelayMinutes,
    refundCosts,
    payoutBrakes: { firstDelayDays: 0, firstCapCents: null, reservePercent: 0, reserveDays: 90, ...payoutBrakes },
    publishesFunds,
    pagesPerSecond,
    ...alerts,
    mailer: inboxMailer({ db, clock, from: MAIL_FROM }),
    geocoder: zipTableGeocoder(),
    photos: files.photos,
    erasures: files.erasures,
    rateLimiter: postgresRateLimiter(db, rateLimitScale, appSecret),
    wallets,
    webhooks,
    networkLimits,
    rateLimitScale,
  };
  const app = await buildApp({
    deps,
    trustedProxies,
    isReady: async () => true,
    webRoot: webRoot ?? null,
    uploadFolder: join(dataDir, 'uploads'),
    plugins: [
      sandbox.pages,
      (scope) => inboxRoutes(scope, { db, isOpen: true }),
      (scope) => securityTxt(scope, { publicUrl, mailFrom: MAIL_FROM }),
    ],
  });
  await app.listen({ port, host: '127.0.0.1' });
  const schedule = isScheduled ? SCHEDULE : SCHEDULE.map((scheduled) => ({ ...scheduled, at: NOT_IN_A_TEST }));
  const startJobs = () => startWorker(deps, pool, QUEUE_TIMES, schedule);
  let worker = runsJobs ? await startJobs() : null;
  const sandboxUrl = `http://127.0.0.1:${sandbox.apiPort}`;
  const endJobs = async () => {
    await worker?.stop();
    worker = null;
  };

  return {
    organizers: [],
    db: openDatabase(testPool),
    deps,
    server: app,
    publicUrl,
    photoFolder,
    sandboxUrl,
    visitor: (options) => new Visitor(publicUrl, options),
    call: (endpoint, input) => new Visitor(publicUrl).call(endpoint, input),
    async advance(time) {
      await moveClock(sandboxUrl, secondsOf(time));
      await changes.catchUp();
    },
    now: () => clock.now(),
    async settle() {
      await untilQuiet(testPool, () => sandbox.idle());
      await changes.catchUp();
    },
    untilBlocked: (count = 1) => untilBlocked(testPool, count),
    endJobs,
    async restartJobs() {
      await endJobs();
      worker = await startJobs();
    },
    async close() {
      await endJobs();
      await app.close();
      await sandbox.close();
      await changes.close();
      await pool.end();
      await testPool.end();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

type Span = Parameters<TestApp['advance']>[0];

const secondsOf = ({ seconds = 0, minutes = 0, hours = 0, days = 0 }: Span) =>
  seconds + 60 * (minutes + 60 * (hours + 24 * days));

const TIMEOUT_MS = 60_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * A job may cause webhooks, and each webhook queues a job. So the queue is idle only if it was empty both before and
 * after the webhooks arrived.
 */
async function untilQuiet(pool: pg.Pool, sandboxIdle: () => Promise<void>): Promise<void> {
  await until('no work is left', async () => {
    if (await isJobDue(pool)) return false;
    await sandboxIdle();
    return !(await isJobDue(pool));
  });
}

async function isJobDue(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isDue: boolean }>(
    `select exists (select from graphile_worker._private_jobs
                     where attempts < max_attempts and run_at <= now()) as "isDue"`,
  );
  return rows[0]?.isDue ?? true;
}

async function untilBlocked(pool: pg.Pool, count: number): Promise<void> {
  await until('a statement waits for a lock', async () => {
    const { rows } = await pool.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return (rows[0]?.waiting ?? 0) >= count;
  });
}
