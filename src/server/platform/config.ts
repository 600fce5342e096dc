/** Reads and validates the environment once. An invalid value stops the start. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { OPEN_CHECKOUTS_PER_BROWSER } from '#domain/limits.ts';
import { type PayoutBrakes, RESERVE_DAYS_MAX, RESERVE_PERCENT_MAX } from '#domain/payouts/brakes.ts';
import { REFUND_COSTS, type RefundCosts } from '#domain/payouts/refund-costs.ts';
import type { NetworkLimits } from './client-network.ts';
import type { AppSecret } from './secrets.ts';

/** One environment variable: its schema, and the texts for its error message. */
export interface Setting {
  schema: z.ZodType;
  expects: string;
  example: string;
}

const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(['0', '1']).transform((value) => value === '1');
const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

/** Every variable the product reads. A test compares the table in the README with this list. */
export const settings = {
  PORT: { schema: port.default(3000), expects: 'a port number', example: '3000' },
  HOST: { schema: z.string().min(1).default('0.0.0.0'), expects: 'an address to listen on', example: '127.0.0.1' },
  PUBLIC_URL: {
    schema: url.optional(),
    expects: 'the http(s) address that people open',
    example: 'https://tickets.example',
  },
  DATA_DIR: { schema: z.string().min(1).default('.data'), expects: 'a folder', example: '/var/lib/handstamp' },
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
    expects: 'a PostgreSQL connection string',
    example: 'postgres://user:password@host/handstamp',
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^(sk|rk)_(test|live)_/)
      .optional(),
    expects: 'a Stripe secret key',
    example: 'sk_test_...',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((secret) => secret.trim()))
      .pipe(z.array(z.string().regex(/^whsec_/)))
      .optional(),
    expects: 'the signing secret of the Stripe webhook, or several with commas between',
    example: 'whsec_...',
  },
  SANDBOX_PORT: { schema: port.optional(), expects: 'a port number', example: '3001' },
  SANDBOX_OPEN: { schema: flag.default(false), expects: '0 or 1', example: '0' },
  SANDBOX_RECORD: { schema: z.string().min(1).optional(), expects: 'a file to append to', example: 'traffic.jsonl' },
  SMTP_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\//)
      .optional(),
    expects: 'a mail server',
    example: 'smtp://user:password@host:587',
  },
  SMTP_PLAIN_TEXT: { schema: flag.default(false), expects: '0 or 1', example: '0' },
  MAIL_FROM: {
    schema: z.string().min(3).default('Handstamp <tickets@handstamp.example>'),
    expects: 'a sender',
    example: 'Tickets <tickets@example.com>',
  },
  ALERT_EMAIL: { schema: z.email().optional(), expects: 'an email address', example: 'ops@example.com' },
  GEOCODER: { schema: z.enum(['zip', 'census']).default('zip'), expects: 'zip or census', example: 'census' },
  APP_SECRET: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((secret) => secret.trim()))
      .pipe(z.tuple([z.string().min(32)], z.string().min(32)))
      .optional(),
    expects: 'at least 32 random characters, or several such secrets with commas between',
    example: '(openssl rand -hex 32)',
  },
  APPLE_WALLET_FILE: {
    schema: z.string().min(1).optional(),
    expects: 'a PEM file',
    example: '/etc/handstamp/apple-wallet.pem',
  },
  GOOGLE_WALLET_FILE: {
    schema: z.string().min(1).optional(),
    expects: 'the JSON file of a service account',
    example: '/etc/handstamp/google-wallet.json',
  },
  GOOGLE_WALLET_ISSUER: {
    schema: z.string().regex(/^\d+$/).optional(),
    expects: 'an issuer ID, in digits',
    example: '3388000000012345678',
  },
  RATE_LIMIT_SCALE: {
    schema: z.coerce.number().min(0).max(1000).default(1),
    expects: 'a number from 0 (off) up',
    example: '1',
  },
  UNPAID_TICKETS_PER_NETWORK: {
    schema: z.coerce.number().int().min(1).max(100_000).default(20),
    expects: 'a number of tickets from 1 to 100000',
    example: '20',
  },
  WAITING_ROOM_PASSES_PER_NETWORK: {
    schema: z.coerce.number().int().min(1).max(100_000).default(8),
    expects: 'a number of passes from 1 to 100000',
    example: '8',
  },
  REFUND_DELAY_MINUTES: {
    schema: z.coerce.number().int().min(0).max(1440).default(0),
    expects: 'a number of minutes from 0 to 1440',
    example: '30',
  },
  REFUND_COSTS: {
    schema: z.enum(REFUND_COSTS).default('platform'),
    expects: 'platform or organizer',
    example: 'organizer',
  },
  FIRST_PAYOUT_DELAY_DAYS: {
    schema: z.coerce.number().int().min(0).max(90).default(0),
    expects: 'a number of days from 0 to 90',
    example: '3',
  },
  FIRST_PAYOUT_CAP: {
    schema: z.coerce.number().int().min(1).max(1_000_000).optional(),
    expects: 'a whole number of dollars from 1 to 1000000',
    example: '5000',
  },
  RESERVE_PERCENT: {
    schema: z.coerce.number().int().min(0).max(RESERVE_PERCENT_MAX).default(0),
    expects: `a whole number from 0 to ${RESERVE_PERCENT_MAX}`,
    example: '10',
  },
  RESERVE_DAYS: {
    schema: z.coerce.number().int().min(1).max(RESERVE_DAYS_MAX).default(90),
    expects: `a number of days from 1 to ${RESERVE_DAYS_MAX}`,
    example: '90',
  },
  PUBLISH_FUNDS: { schema: flag.default(false), expects: '0 or 1', example: '1' },
  PAGES_PER_SECOND: {
    schema: z.coerce.number().min(0.1).max(1000).optional(),
    expects: 'a number from 0.1 to 1000',
    example: '80',
  },
  SEED_DEMO: { schema: flag.default(true), expects: '0 or 1', example: '1' },
  WORKERS: {
    schema: z.coerce.number().int().min(1).max(64).default(1),
    expects: 'a number of processes from 1 to 64',
    example: '4',
  },
  TRUST_PROXY: {
    schema: z.coerce.number().int().min(0).max(10).default(0),
    expects: 'how many proxies stand in front',
    example: '1',
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/)
      .optional(),
    expects: 'at least 16 random letters and digits',
    example: '(openssl rand -hex 16)',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
    expects: 'fatal, error, warn, info, debug or silent',
    example: 'warn',
  },
} satisfies Record<string, Setting>;

type Environment = { [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]['schema']> };

export interface Config {
  port: number;
  host: string;
  /** Origin of the public website, without a trailing slash. */
  publicUrl: string;
  dataDir: string;
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
  /** Rate limit for opening payment pages; null: no limit. */
  pagesPerSecond: number | null;
  seedDemo: boolean;
  /** Processes that serve requests; 1 means this process only. */
  workers: number;
  trustedProxies: number;
  /** Null: the metrics endpoint is off. */
  metricsToken: string | null;
  logLevel: string;
}

export class ConfigError extends Error {
  override name = 'ConfigError';
}

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const env = parse(environment);
  const conflict = findConflict(env);
  if (conflict) throw new ConfigError(conflict);

  return {
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    dataDir: resolve(env.DATA_DIR),
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
    pagesPerSecond: env.PAGES_PER_SECOND ?? defaultRate(env.STRIPE_SECRET_KEY),
    seedDemo: env.SEED_DEMO,
    workers: env.WORKERS,
    trustedProxies: env.TRUST_PROXY,
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
  };
}

const scaled = (limit: number, scale: number) => (scale === 0 ? null : Math.max(1, Math.round(limit * scale)));

/** Stays below Stripe's limits (100 writes a second live, 25 in test mode) to leave room for refunds and payouts. */
function defaultRate(stripeKey: string | undefined): number | null {
  if (stripeKey === undefined) return null;
  return /_live_/.test(stripeKey) ? 80 : 20;
}

function parse(environment: NodeJS.ProcessEnv): Environment {
  const shape = Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema]));
  // Shells and compose files use an empty string for "not set".
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = z.object(shape).safeParse(nonEmpty);
  if (result.success) return result.data as Environment;

  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]) as keyof typeof settings;
    const { expects, example } = settings[name];
    return `${name} is "${redacted(name, environment[name])}", but it must be ${expects}, for example ${example}`;
  });
  throw new ConfigError(lines.join('\n'));
}

/** A mistyped secret is still sensitive, so only its first characters are printed. */
function redacted(name: string, value: string | undefined): string {
  const text = value ?? '';
  return /SECRET|TOKEN|KEY|DATABASE_URL|SMTP_URL/.test(name) ? `${text.slice(0, 8)}...` : text;
}

/** The key moves real money. */
const isLiveKey = (key: string | undefined) => /^(sk|rk)_live_/.test(key ?? '');

/** The first conflict between two settings. */
function findConflict(env: Environment): string | null {
  const isLive = isLiveKey(env.STRIPE_SECRET_KEY);
  if (Boolean(env.STRIPE_SECRET_KEY) !== Boolean(env.STRIPE_WEBHOOK_SECRET))
    return 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET must be set together, or neither for the sandbox';
  if (Boolean(env.GOOGLE_WALLET_FILE) !== Boolean(env.GOOGLE_WALLET_ISSUER))
    return 'GOOGLE_WALLET_FILE and GOOGLE_WALLET_ISSUER must be set together, or neither';
  if (isLive && !env.PUBLIC_URL?.startsWith('https://'))
    return `PUBLIC_URL is "${env.PUBLIC_URL ?? ''}", but with a live Stripe key it must be an https address, for example https://tickets.example`;
  if (isLive && env.RATE_LIMIT_SCALE === 0)
    return 'RATE_LIMIT_SCALE is "0", but with a live Stripe key it must be above 0, for example 1';
  if (isLive && !env.SMTP_URL)
    return 'SMTP_URL is not set, but with a live Stripe key buyers need their tickets by email, for example smtp://user:password@host:587';
  if (env.PUBLIC_URL === undefined && env.PORT === 0)
    return 'PORT is "0", which needs PUBLIC_URL to be set, for example http://localhost:3000';
  return null;
}
