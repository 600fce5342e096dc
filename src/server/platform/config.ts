/** What the settings mean for the product. A contradiction between two of them stops the start. */
import { resolve } from 'node:path';
import { OPEN_CHECKOUTS_PER_BROWSER } from '#domain/limits.ts';
import type { PayoutBrakes } from '#domain/payouts/brakes.ts';
import type { RefundCosts } from '#domain/payouts/refund-costs.ts';
import type { NetworkLimits } from './client-network.ts';
import type { AppSecret } from './secrets.ts';
import { ConfigError, type Environment, readSettings } from './settings.ts';
import type { TracingConfig } from './tracing/open-tracing.ts';

const DRAIN_SECONDS_BEHIND_PROXY = 5;

export interface BucketSettings {
  bucket: string;
  region: string;
  /** Null: Amazon's. */
  endpoint: string | null;
  /** The bucket's name is in the path of its addresses, not in the host. */
  hasPathStyle: boolean;
  keyId: string;
  secretKey: string;
  /** For everything that one call does. */
  deadlineMs?: number;
}

export interface Config {
  port: number;
  host: string;
  /** Origin of the public website, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** Null: photos and the log of erasures are in `dataDir`. */
  bucket: BucketSettings | null;
  /** Null: run the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Null: use the sandbox. */
  stripe: { secretKey: string; webhookSecrets: readonly string[]; isLive: boolean } | null;
  sandbox: { port: number; isOpen: boolean; recordFile: string | null };
  /** Null: store emails in the sandbox inbox. */
  smtpUrl: string | null;
  /** Whether emails may be sent to a mail server that offers no TLS. */
  smtpAllowsPlainText: boolean;
  mailFrom: string;
  /** Who is emailed about problems. */
  alertEmail: string | null;
  /** `zip` works offline and finds the ZIP code; `census` calls the US Census Bureau and finds the house. */
  geocoder: 'zip' | 'census';
  /** Null: generated once and stored in `dataDir`. */
  appSecret: AppSecret | null;
  /** Null: Apple Wallet is not offered. */
  appleWalletFile: string | null;
  googleWallet: { file: string; issuerId: string } | null;
  rateLimitScale: number;
  networkLimits: NetworkLimits;
  refundDelayMinutes: number;
  refundCosts: RefundCosts;
  payoutBrakes: PayoutBrakes;
  publishesFunds: boolean;
  /** Webhooks may be received on this machine: for development. */
  webhooksToLoopback: boolean;
  /** Rate limit for opening payment pages; null: no limit. */
  pagesPerSecond: number | null;
  seedDemo: boolean;
  /** Processes that serve requests; 1 means this process only. */
  workers: number;
  trustedProxies: number;
  /** How long a stopping server still answers after it said that it isn't ready. */
  drainSeconds: number;
  /** Null: the metrics endpoint is off. */
  metricsToken: string | null;
  /** Null: nothing is traced. */
  tracing: TracingConfig | null;
  logLevel: string;
}

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const env = readSettings(environment);
  const conflict = findConflict(env);
  if (conflict) throw new ConfigError(conflict);

  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    dataDir: resolve(env.DATA_DIR),
    bucket: bucketOf(env),
    databaseUrl: env.DATABASE_URL ?? null,
    stripe:
      env.STRIPE_SECRET_KEY && env.STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: env.STRIPE_SECRET_KEY,
            webhookSecrets: env.STRIPE_WEBHOOK_SECRET,
            isLive: isLiveKey(env.STRIPE_SECRET_KEY),
          }
        : null,
    sandbox: {
      port: env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1),
      isOpen: env.SANDBOX_OPEN,
      recordFile: env.SANDBOX_RECORD ?? null,
    },
    smtpUrl: env.SMTP_URL ?? null,
    smtpAllowsPlainText: env.SMTP_PLAIN_TEXT,
    mailFrom: env.MAIL_FROM,
    alertEmail: env.ALERT_EMAIL ?? null,
    geocoder: env.GEOCODER,
    appSecret: env.APP_SECRET ?? null,
    appleWalletFile: env.APPLE_WALLET_FILE ?? null,
    googleWallet:
      env.GOOGLE_WALLET_FILE && env.GOOGLE_WALLET_ISSUER
        ? { file: env.GOOGLE_WALLET_FILE, issuerId: env.GOOGLE_WALLET_ISSUER }
        : null,
    rateLimitScale: env.RATE_LIMIT_SCALE,
    networkLimits: {
      unpaidTickets: scaled(env.UNPAID_TICKETS_PER_NETWORK, env.RATE_LIMIT_SCALE),
      waitingRoomPasses: scaled(env.WAITING_ROOM_PASSES_PER_NETWORK, env.RATE_LIMIT_SCALE),
      openCheckouts: scaled(OPEN_CHECKOUTS_PER_BROWSER, env.RATE_LIMIT_SCALE),
    },
    refundDelayMinutes: env.REFUND_DELAY_MINUTES,
    refundCosts: env.REFUND_COSTS,
    payoutBrakes: {
      firstDelayDays: env.FIRST_PAYOUT_DELAY_DAYS,
      firstCapCents: env.FIRST_PAYOUT_CAP === undefined ? null : env.FIRST_PAYOUT_CAP * 100,
      reservePercent: env.RESERVE_PERCENT,
      reserveDays: env.RESERVE_DAYS,
    },
    publishesFunds: env.PUBLISH_FUNDS,
    webhooksToLoopback: env.WEBHOOKS_TO_LOOPBACK,
    pagesPerSecond: env.PAGES_PER_SECOND ?? defaultRate(env.STRIPE_SECRET_KEY),
    seedDemo: env.SEED_DEMO,
    workers: env.WORKERS,
    trustedProxies: env.TRUST_PROXY,
    drainSeconds: env.DRAIN_SECONDS ?? (env.TRUST_PROXY > 0 ? DRAIN_SECONDS_BEHIND_PROXY : 0),
    metricsToken: env.METRICS_TOKEN ?? null,
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, share: env.OTEL_TRACES_SAMPLER_ARG }
      : null,
    logLevel: env.LOG_LEVEL,
  };
}

function bucketOf({ PHOTOS_S3_BUCKET: bucket, PHOTOS_S3_KEY: key, ...env }: Environment): BucketSettings | null {
  if (bucket === undefined || key === undefined) return null;
  const [keyId = '', ...secret] = key.split(':');
  return {
    bucket,
    region: env.PHOTOS_S3_REGION,
    endpoint: env.PHOTOS_S3_ENDPOINT ?? null,
    hasPathStyle: env.PHOTOS_S3_PATH_STYLE,
    keyId,
    secretKey: secret.join(':'),
  };
}

const scaled = (limit: number, scale: number) => (scale === 0 ? null : Math.max(1, Math.round(limit * scale)));

/** Stays below Stripe's limits (100 writes a second live, 25 in test mode) to leave room for refunds and payouts. */
function defaultRate(stripeKey: string | undefined): number | null {
  if (stripeKey === undefined) return null;
  return /_live_/.test(stripeKey) ? 80 : 20;
}

/** The key moves real money. */
const isLiveKey = (key: string | undefined) => /^(sk|rk)_live_/.test(key ?? '');

/** The first conflict between two settings. */
function findConflict(env: Environment): string | null {
  const isLive = isLiveKey(env.STRIPE_SECRET_KEY);
  if (Boolean(env.STRIPE_SECRET_KEY) !== Boolean(env.STRIPE_WEBHOOK_SECRET))
    return 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither for the sandbox';
  if (Boolean(env.PHOTOS_S3_BUCKET) !== Boolean(env.PHOTOS_S3_KEY))
    return 'PHOTOS_S3_BUCKET and PHOTOS_S3_KEY must be set together, or neither to keep photos in DATA_DIR';
  if (Boolean(env.GOOGLE_WALLET_FILE) !== Boolean(env.GOOGLE_WALLET_ISSUER))
    return 'GOOGLE_WALLET_FILE and GOOGLE_WALLET_ISSUER must be set together, or neither';
  if (isLive && !env.PUBLIC_URL?.startsWith('https://'))
    return `PUBLIC_URL is "${env.PUBLIC_URL ?? ''}", but with a live Stripe key it must be an https address, for example https://tickets.example`;
  if (isLive && env.RATE_LIMIT_SCALE === 0)
    return 'RATE_LIMIT_SCALE is "0", but with a live Stripe key it must be above 0, for example 1';
  if (isLive && env.WEBHOOKS_TO_LOOPBACK)
    return 'WEBHOOKS_TO_LOOPBACK is "1", but with a live Stripe key organizers must not reach this machine, so it must be 0';
  if (isLive && !env.SMTP_URL)
    return 'SMTP_URL is not set, but with a live Stripe key buyers need their tickets by email, for example smtp://user:password@host:587';
  if (env.PUBLIC_URL === undefined && env.PORT === 0)
    return 'PORT is "0", which needs PUBLIC_URL to be set, for example http://localhost:3000';
  return null;
}
