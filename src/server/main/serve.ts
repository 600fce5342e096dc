/** Serves requests and runs jobs in this process. */
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import { failedChecks } from '#server/backoffice/doctor/run-checks.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { businessMetrics } from '#server/backoffice/watch/business-metrics.ts';
import { reconcile } from '#server/payments/reconciliation/reconcile.ts';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { censusGeocoder } from '#server/platform/adapters/census/census-geocoder.ts';
import { inboxRoutes } from '#server/platform/adapters/inbox/inbox.routes.ts';
import { inboxMailer } from '#server/platform/adapters/inbox/inbox-mailer.ts';
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { smtpMailer } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import { httpsWebhookSender } from '#server/platform/adapters/webhooks/https-webhook-sender.ts';
import { zipTableGeocoder } from '#server/platform/adapters/zip-table/zip-table-geocoder.ts';
import { readBuild } from '#server/platform/build.ts';
import type { Config } from '#server/platform/config.ts';
import { type Db, openDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openDrain } from '#server/platform/http/drain.ts';
import { findProxyProblem, watchProxyHeaders } from '#server/platform/http/proxy-headers.ts';
import { securityTxt } from '#server/platform/http/security-txt.ts';
import { enqueue } from '#server/platform/jobs/jobs.sql.ts';
import type { Measurement } from '#server/platform/metrics/measurement.ts';
import { metrics } from '#server/platform/metrics/metrics.routes.ts';
import { isMigrated } from '#server/platform/migrate.ts';
import { FilesUnreachable } from '#server/platform/ports/files-unreachable.ts';
import type { Geocoder } from '#server/platform/ports/geocoder.ts';
import { buildApp } from './app.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { installationOf } from './installation.ts';
import { listen } from './listen.ts';
import { openFiles } from './open-files.ts';
import { openIntegrations } from './open-integrations.ts';
import type { Resources } from './open-resources.ts';
import { openWallets } from './open-wallets.ts';
import { announceDemo } from './welcome.ts';
import { startWorker } from './worker.ts';

const WEB_ROOT = join(import.meta.dirname, '../../../dist/web');

/** How far back at least; more if the last reconciliation before the backup is older. */
const RESTORED_DAYS = 4;

interface ServeOptions {
  /** Null with Stripe keys. */
  sandbox: { apiPort: number; pages: FastifyPluginAsync } | null;
  /** The first process also runs the one-time tasks of a start. */
  isFirst: boolean;
  /** Metrics of all processes, including this one. */
  collectMetrics: () => Promise<Measurement[]>;
}

export async function serve(resources: Resources, { sandbox, isFirst, collectMetrics }: ServeOptions): Promise<void> {
  const { config, pool, clock, changes, appSecret, log, shutdown } = resources;
  const db = openDatabase(pool);
  const integrations = openIntegrations(config, resources, sandbox);
  const files = await openFiles(config);
  const deps: Deps = {
    db,
    clock,
    changes,
    appSecret,
    log,
    publicUrl: config.publicUrl,
    takesRealMoney: config.stripe?.isLive ?? false,
    alertEmail: config.alertEmail,
    findFailedChecks: () => failedChecks(installationOf(config, { pool, appSecret, files })),
    refundDelayMinutes: config.refundDelayMinutes,
    refundCosts: config.refundCosts,
    payoutBrakes: config.payoutBrakes,
    publishesFunds: config.publishesFunds,
    pagesPerSecond: config.pagesPerSecond,
    ...integrations.ports,
    mailer: config.smtpUrl
      ? smtpMailer({ url: config.smtpUrl, allowsPlainText: config.smtpAllowsPlainText, from: config.mailFrom })
      : inboxMailer({ db, clock, from: config.mailFrom }),
    geocoder: geocoderOf(config, log),
    photos: files.photos,
    erasures: files.erasures,
    rateLimiter: postgresRateLimiter(db, config.rateLimitScale, appSecret),
    wallets: await openWallets(config),
    webhooks: httpsWebhookSender({ allowsLoopback: config.webhooksToLoopback }),
    networkLimits: config.networkLimits,
    rateLimitScale: config.rateLimitScale,
  };

  const securityContact: FastifyPluginAsync = (server) => securityTxt(server, config);
  const inbox: FastifyPluginAsync = (server) => inboxRoutes(server, { db, isOpen: config.sandbox.isOpen });
  const drain = openDrain({ seconds: config.drainSeconds });
  const server = await buildApp({
    deps,
    reservedDb: openDatabase(resources.reservedPool),
    uploadFolder: join(config.dataDir, 'uploads'),
    trustedProxies: config.trustedProxies,
    // Over connections that a sale can't exhaust: a busy server is ready.
    isReady: async () => !drain.hasBegun() && (await isMigrated(resources.reservedPool)),
    build: readBuild(),
    webRoot: WEB_ROOT,
    shedsLoad: true,
    metrics: resources.metrics,
    isTraced: config.tracing !== null,
    plugins: [
      securityContact,
      ...integrations.pages,
      ...(config.smtpUrl ? [] : [inbox]),
      ...metricsPlugin(resources, collectMetrics),
    ],
  });
  drain.endConnectionsOf(server.server);
  let close: () => Promise<unknown> = () => server.close();
  shutdown.add('requests', () => close());

  const proxyHeaders = watchProxyHeaders(server.server, { db, trustedProxies: config.trustedProxies, log });
  shutdown.add('proxy headers', () => proxyHeaders.stop());
  if (isFirst) await warnOfProxies(resources, db);

  // Before serving: a restored backup contains people who were erased since.
  if (isFirst)
    await replayErasures(deps).catch((err: unknown) => {
      if (!(err instanceof FilesUnreachable)) throw err;
      log.error({ err }, 'deletions could not be compared with the log of erasures; this is repeated every hour');
    });
  if (isFirst && (await openRestore(db))) await reconcileRestored(deps);
  const worker = await startWorker(deps, pool);
  shutdown.add('jobs', () => worker.stop());
  const listening = listen(server, { port: config.port, host: config.host });
  // Node throws if a worker closes its server before it learns that the port is taken.
  close = async () => (await listening.catch(() => () => server.close()))();
  await listening;
  // Stopped first: jobs go on while the load balancer turns away.
  shutdown.add('readiness', () => drain.begin());
  if (!isFirst) return;

  // Catches up on events at Stripe during the downtime.
  await enqueue(db, 'reconcile-days', {}, { key: 'reconcile at start', queue: 'reconcile' });
  const demo = config.seedDemo && !config.stripe ? await seedDemo(deps, (request) => server.inject(request)) : null;
  if (demo) announceDemo(demo, config.publicUrl);
}

/** Before anyone buys: the seats of lost orders are still free. */
async function reconcileRestored(deps: Deps): Promise<void> {
  deps.log.warn('the database was restored: reconciling it with Stripe before anything is sold');
  try {
    await reconcile(deps, new Date(deps.clock.now().getTime() - RESTORED_DAYS * 24 * 60 * 60 * 1000));
  } catch (error) {
    // The scheduled runs go on with it.
    deps.log.error({ err: error }, 'could not reconcile the restored database with Stripe yet');
  }
}

/** By what the previous run saw, with the same setting. */
async function warnOfProxies({ config, log }: Resources, db: Db): Promise<void> {
  const problem = await findProxyProblem(db, config.trustedProxies);
  if (problem) log.warn(problem);
}

function geocoderOf({ geocoder }: Config, log: Logger): Geocoder {
  const zipTable = zipTableGeocoder();
  if (geocoder === 'zip') return zipTable;
  return censusGeocoder({ fallback: zipTable, onFailure: (err) => log.warn({ err }, 'the Census geocoder failed') });
}

/** The metrics of all processes and of the installation, if a metrics token is set. */
function metricsPlugin(
  { config: { metricsToken: token }, metricsPool }: Resources,
  collectMetrics: ServeOptions['collectMetrics'],
) {
  if (token === null) return [];
  const readBusiness = businessMetrics(openDatabase(metricsPool));
  const read = async () => {
    const [ofProcesses, ofBusiness] = await Promise.all([collectMetrics(), readBusiness()]);
    const { formatMeasurements } = await import('#server/platform/metrics/process-metrics.ts');
    return formatMeasurements([...ofProcesses, ...ofBusiness]);
  };
  const plugin: FastifyPluginAsync = async (server) => metrics(server, { token, read });
  return [plugin];
}
