/** Starts the product: chooses the adapters, joins the parts, says where it is, and stops cleanly. */
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import { type Logger, pino } from 'pino';
import { type MovableClock, openBusinessClock } from './adapters/business-clock/business-clock.ts';
import { diskPhotoStore } from './adapters/disk/disk-photo-store.ts';
import { runEmbeddedPostgres } from './adapters/embedded-postgres/run-postgres.ts';
import { inboxRoutes } from './adapters/inbox/inbox.routes.ts';
import { inboxMailer } from './adapters/inbox/inbox-mailer.ts';
import { smtpMailer } from './adapters/smtp/smtp-mailer.ts';
import { stripeCards } from './adapters/stripe/cards.ts';
import { stripePayoutAccounts } from './adapters/stripe/payout-accounts.ts';
import { stripeBooks } from './adapters/stripe/provider-books.ts';
import { createStripeClient } from './adapters/stripe/stripe-client.ts';
import { postgresTries } from './adapters/tries/postgres-tries.ts';
import { zipTableGeocoder } from './adapters/zip-table/zip-table-geocoder.ts';
import { buildApp } from './app.ts';
import { readOrMakeAppSecret } from './app-secret.ts';
import { grantApplicationRole } from './application-role.sql.ts';
import { type Config, readConfig } from './config.ts';
import { openDatabase, openPool, type Pool } from './database.ts';
import { seedDemo } from './demo/seed-demo.ts';
import type { Deps } from './deps.ts';
import { enqueue } from './jobs/jobs.sql.ts';
import { startWorker } from './jobs/worker.ts';
import { isMigrated, migrate } from './migrate.ts';
import { sandboxKeys } from './sandbox-keys.ts';
import { Shutdown } from './shutdown.ts';
import { exitWith } from './start-problem.ts';
import { announce, announceDemo } from './welcome.ts';

const WEB_ROOT = join(import.meta.dirname, '../../dist/web');
const NO_ROLE =
  'the database user can neither make nor become the role handstamp_app, so only triggers keep the ledger from being changed: see docs/running.md';

const shutdown = new Shutdown();
shutdown.listen();
try {
  await start(readConfig(process.env));
} catch (error) {
  await shutdown.run();
  exitWith(error);
}

async function start(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
  const pool = await connect(config, log);
  const db = openDatabase(pool);
  const clock = await openBusinessClock(db);
  const appSecret = config.appSecret ?? (await readOrMakeAppSecret(config.dataDir));
  const outside = await openOutsideWorld(config, { pool, clock, appSecret });

  const deps: Deps = {
    db,
    clock,
    appSecret,
    log,
    publicUrl: config.publicUrl,
    refundDelayMinutes: config.refundDelayMinutes,
    ...outside.ports,
    mailer: config.smtpUrl
      ? smtpMailer({ url: config.smtpUrl, from: config.mailFrom })
      : inboxMailer({ db, clock, from: config.mailFrom }),
    geocoder: zipTableGeocoder(),
    photos: diskPhotoStore(join(config.dataDir, 'photos')),
    tries: postgresTries(db, config.rateLimitScale),
  };

  const inbox: FastifyPluginAsync = (app) => inboxRoutes(app, { db, isOpen: config.sandbox.isOpen });
  const app = await buildApp({
    deps,
    trustedProxies: config.trustedProxies,
    isReady: () => isMigrated(pool),
    webRoot: WEB_ROOT,
    plugins: [...outside.pages, ...(config.smtpUrl ? [] : [inbox])],
  });
  shutdown.add('requests', () => app.close());

  const worker = await startWorker(deps, pool);
  shutdown.add('jobs', () => worker.stop());
  await app.listen({ port: config.port, host: config.host });
  // What happened at the card company while nobody was here.
  await enqueue(db, 'reconcile-days', {}, { key: 'reconcile at start', queue: 'reconcile' });

  const demo = config.seedDemo && !config.stripe ? await seedDemo(deps, (request) => app.inject(request)) : null;
  if (demo) announceDemo(demo, config.publicUrl);
  announce(config);
}

async function connect(config: Config, log: Logger): Promise<Pool> {
  let connectionString = config.databaseUrl;
  if (connectionString === null) {
    const starting = runEmbeddedPostgres({ dataDir: config.dataDir });
    // Known before it answers: Ctrl-C during a first start must wait for PostgreSQL and stop it.
    shutdown.add('database', async () => (await starting.catch(() => null))?.stop());
    connectionString = (await starting).connectionString;
  }
  const onError = ({ message }: Error) => log.error({ reason: message }, 'a database connection broke');
  const role = await bringUpToDate(openPool(connectionString, onError), config);
  if (!role) log.warn(NO_ROLE);

  const pool = openPool(connectionString, onError, role);
  shutdown.add('connections', () => pool.end());
  return pool;
}

/** Changes the schema as its owner. Everything after works as the role that this answers, and cannot. */
async function bringUpToDate(owner: Pool, config: Config): Promise<string | null> {
  try {
    await migrate(owner);
    if (!config.stripe) await (await import('#sandbox/database.ts')).migrate(owner);
    return await grantApplicationRole(owner);
  } finally {
    await owner.end();
  }
}

interface World {
  pool: Pool;
  clock: MovableClock;
  appSecret: string;
}

/** The card company: Stripe itself, or, without keys, the sandbox that speaks Stripe's language. */
async function openOutsideWorld(config: Config, world: World) {
  const isLive = /_live_/.test(config.stripe?.secretKey ?? '');
  const { pages, keys, api } = config.stripe
    ? { pages: [], keys: config.stripe, api: null }
    : await openSandbox(config, world);

  const stripe = createStripeClient({ secretKey: keys.secretKey, api });
  const { publicUrl } = config;
  return {
    pages,
    ports: {
      cards: stripeCards(stripe, { webhookSecrets: keys.webhookSecrets, publicUrl, clock: world.clock, isLive }),
      payoutAccounts: stripePayoutAccounts(stripe, { publicUrl }),
      books: stripeBooks(stripe),
    },
  };
}

async function openSandbox(config: Config, { pool, clock, appSecret }: World) {
  const { startSandbox } = await import('#sandbox/start-sandbox.ts');
  const keys = sandboxKeys(appSecret);
  const sandbox = await startSandbox({
    pool,
    clock,
    ...keys,
    apiPort: config.sandbox.port,
    webhookUrl: `http://127.0.0.1:${config.port}/api/webhooks/stripe`,
    publicUrl: config.publicUrl,
    isConsoleOpen: config.sandbox.isOpen,
    recordFile: config.sandbox.recordFile,
  });
  shutdown.add('sandbox', () => sandbox.close());
  return {
    pages: [sandbox.pages],
    keys: { ...keys, webhookSecrets: [keys.webhookSecret] },
    api: { host: '127.0.0.1', port: sandbox.apiPort, protocol: 'http' as const },
  };
}
