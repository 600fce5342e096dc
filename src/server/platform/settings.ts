/** Every environment variable that the product reads: what it expects, and how it is read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { RESERVE_DAYS_MAX, RESERVE_PERCENT_MAX } from '#domain/payouts/brakes.ts';
import { REFUND_COSTS } from '#domain/payouts/refund-costs.ts';

/** One environment variable: its schema, and the texts for its error message. */
export interface Setting {
  schema: z.ZodType;
  expects: string;
  example: string;
}

/** A process that takes 30 seconds to stop is killed. */
const DRAIN_SECONDS_MAX = 20;

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
  PHOTOS_S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    expects: 'the name of a bucket, in lower case',
    example: 'tickets-photos',
  },
  PHOTOS_S3_KEY: {
    schema: z
      .string()
      .regex(/^[^\s:]+:\S+$/)
      .optional(),
    expects: 'an access key ID and its secret, with a colon between',
    example: 'AKIA...:...',
  },
  PHOTOS_S3_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .default('us-east-1'),
    expects: 'a region',
    example: 'us-east-1',
  },
  PHOTOS_S3_ENDPOINT: {
    schema: url.optional(),
    expects: 'the http(s) address of a service that speaks the protocol of S3',
    example: 'https://s3.example',
  },
  PHOTOS_S3_PATH_STYLE: { schema: flag.default(false), expects: '0 or 1', example: '1' },
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
  WEBHOOKS_TO_LOOPBACK: { schema: flag.default(false), expects: '0 or 1', example: '1' },
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
  DRAIN_SECONDS: {
    schema: z.coerce.number().min(0).max(DRAIN_SECONDS_MAX).optional(),
    expects: `a number of seconds from 0 to ${DRAIN_SECONDS_MAX}`,
    example: '5',
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .regex(/^[\w.~+/=-]{16,}$/)
      .optional(),
    expects: 'at least 16 random letters and digits',
    example: '(openssl rand -hex 16)',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: url.optional(),
    expects: 'the http(s) address of an OpenTelemetry collector',
    example: 'http://127.0.0.1:4318',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number().min(0).max(1).default(1),
    expects: 'a share from 0 to 1',
    example: '0.05',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('warn'),
    expects: 'fatal, error, warn, info, debug or silent',
    example: 'warn',
  },
} satisfies Record<string, Setting>;

export type Environment = { [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]['schema']> };

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Each value as its schema reads it. An invalid one stops the start. */
export function readSettings(given: NodeJS.ProcessEnv): Environment {
  const environment = withCredentials(given);
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

/**
 * Adds the settings that are files of their own, named like the setting: systemd's credentials, or a container's secrets. An
 * environment is inherited by child processes and shown by `/proc`.
 */
function withCredentials(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = environment.CREDENTIALS_DIRECTORY;
  if (!folder) return environment;
  const complete = { ...environment };
  for (const name of readdirSync(folder).filter((file) => Object.hasOwn(settings, file))) {
    if (environment[name]) throw new ConfigError(`${name} is set twice: in the environment and in ${folder}`);
    complete[name] = readFileSync(join(folder, name), 'utf8').trim();
  }
  return complete;
}

/** A mistyped secret is still sensitive, so only its first characters are printed. */
function redacted(name: string, value: string | undefined): string {
  const text = value ?? '';
  return /SECRET|TOKEN|KEY|DATABASE_URL|SMTP_URL/.test(name) ? `${text.slice(0, 8)}...` : text;
}
