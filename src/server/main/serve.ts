/** Serves requests and runs jobs in this process. */
import { join } from 'node:path';
import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import { failedChecks } from '#server/backoffice/doctor/run-checks.ts';
import { replayErasures } from '#server/backoffice/privacy/replay-erasures.ts';
import { censusGeocoder } from '#server/platform/adapters/census/census-geocoder.ts';
import { diskErasureLog } from '#server/platform/adapters/disk/disk-erasure-log.ts';
import { diskPhotoStore } from '#server/platform/adapters/disk/disk-photo-store.ts';
import { inboxRoutes } from '#server/platform/adapters/inbox/inbox.routes.ts';
import { inboxMailer } from '#server/platform/adapters/inbox/inbox-mailer.ts';
import { postgresRateLimiter } from '#server/platform/adapters/rate-limiter/postgres-rate-limiter.ts';
import { findMailServerProblem, smtpMailer } from '#server/platform/adapters/smtp/smtp-mailer.ts';
import { zipTableGeocoder } from '#server/platform/adapters/zip-table/zip-table-geocoder.ts';
import type { Config } from '#server/platform/config.ts';
import { type Db, openDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findProxyProblem, watchProxyHeaders } from '#server/platform/http/proxy-headers.ts';
import { securityTxt } from '#server/platform/http/security-txt.ts';
import { countJobs, enqueue } from '#server/platform/jobs/jobs.sql.ts';
import { countRequests } from '#server/platform/metrics/count-requests.ts';
import { metrics } from '#server/platform/metrics/metrics.routes.ts';
import { formatSamples, type Sample } from '#server/platform/metrics/sample.ts';
import { isMigrated } from '#server/platform/migrate.ts';
import type { Geocoder } from '#server/platform/ports/geocoder.ts';
import { buildApp } from './app.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { listen } from './listen.ts';
import { openIntegrations } from './open-integrations.ts';
import type { Resources } from './open-resources.ts';
import { openWallets } from './open-wallets.ts';
import { announceDemo } from './welcome.ts';
import { startWorker } from './worker.ts';

const WEB_ROOT = join(import.meta.dirname, '../../../dist/web');

interface ServeOptions {
  /** Null with Stripe keys. */
  sandbox: { apiPort: number; pages: FastifyPluginAsync } | null;
  /** The first process also runs the one-time tasks of a start. */
  isFirst: boolean;
  /** Metrics of all processes, including this one. */
  collectMetrics: () => Promise<Sample[]>;
}

export async function serve(resources: Resources, { sandbox, isFirst, collectMetrics }: ServeOptions): Promise<void> {
  const { config, pool, clock, changes, appSecret, log, shutdown } = resources;
  const db = openDatabase(pool);
  const integrations = openIntegrations(config, resources, sandbox);
  const deps: Deps = {
    db,
    clock,
    changes,
    appSecret,
    log,
    publicUrl: config.publicUrl,
    takesRealMoney: config.stripe?.isLive ?? false,
    alertEmail: config.alertEmail,
    findFailedChecks: () => failedChecks(installationOf(resources)),
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
    photos: diskPhotoStore(join(config.dataDir, 'photos')),
    erasures: diskErasureLog(join(config.dataDir, 'erasures.jsonl')),
    rateLimiter: postgresRateLimiter(db, config.rateLimitScale, appSecret),
    wallets: await openWallets(config),
    networkLimits: config.networkLimits,
    rateLimitScale: config.rateLimitScale,
  };

  const securityContact: FastifyPluginAsync = (server) => securityTxt(server, config);
  const inbox: FastifyPluginAsync = (server) => inboxRoutes(server, { db, isOpen: config.sandbox.isOpen });
  const server = await buildApp({
    deps,
    reservedDb: openDatabase(resources.reservedPool),
    uploadFolder: join(config.dataDir, 'uploads'),
    trustedProxies: config.trustedProxies,
    isReady: () => isMigrated(pool),
    webRoot: WEB_ROOT,
    shedsLoad: true,
    plugins: [
      securityContact,
      ...integrations.pages,
      ...(config.smtpUrl ? [] : [inbox]),
      ...metricsPlugin(resources, collectMetrics),
    ],
  });
  let close: () => Promise<unknown> = () => server.close();
  shutdown.add('requests', () => close());

  const proxyHeaders = watchProxyHeaders(server.server, { db, trustedProxies: config.trustedProxies, log });
  shutdown.add('proxy headers', () => proxyHeaders.stop());
  if (isFirst) await warnOfProxies(resources, db);

  // Before serving: a restored backup contains people who were erased since.
  if (isFirst) await replayErasures(deps);
  const worker = await startWorker(deps, pool);
  shutdown.add('jobs', () => worker.stop());
  const listening = listen(server, { port: config.port, host: config.host });
  // Node throws if a worker closes its server before it learns that the port is taken.
  close = async () => (await listening.catch(() => () => server.close()))();
  await listening;
  if (!isFirst) return;

  // Catches up on events at Stripe during the downtime.
  await enqueue(db, 'reconcile-days', {}, { key: 'reconcile at start', queue: 'reconcile' });
  const demo = config.seedDemo && !config.stripe ? await seedDemo(deps, (request) => server.inject(request)) : null;
  if (demo) announceDemo(demo, config.publicUrl);
}

function installationOf({ config, pool, appSecret }: Resources) {
  const { dataDir, databaseUrl, publicUrl, smtpUrl, smtpAllowsPlainText, trustedProxies } = config;
  const server = { url: smtpUrl ?? '', allowsPlainText: smtpAllowsPlainText };
  const mailServer = smtpUrl === null ? null : { ...server, findProblem: () => findMailServerProblem(server) };
  return { pool, dataDir, databaseUrl, publicUrl, mailServer, trustedProxies, appSecret };
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

/** Counts requests and serves the metrics of all processes, if a metrics token is set. */
function metricsPlugin(
  { config: { metricsToken: token }, pool, collectors }: Resources,
  collectMetrics: ServeOptions['collectMetrics'],
) {
  if (token === null) return [];
  const read = async () =>
    formatSamples([...(await collectMetrics()), ...jobSamples(await countJobs(openDatabase(pool)))]);
  const plugin: FastifyPluginAsync = async (server) => {
    collectors.push(countRequests(server.server));
    metrics(server, { token, read });
  };
  return [plugin];
}

const jobSamples = (counts: Record<string, number>): Sample[] =>
  Object.entries(counts).map(([state, value]) => ({ kind: 'handstamp_jobs', labels: { state }, value }));
