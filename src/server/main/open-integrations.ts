/** The card company: Stripe itself, or, without keys, the sandbox that speaks Stripe's language. */
import type { FastifyPluginAsync } from 'fastify';
import type { MovableClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import { stripeBalanceTransactions } from '#server/platform/adapters/stripe/balance-transactions.ts';
import { stripePaymentProcessor } from '#server/platform/adapters/stripe/payment-processor.ts';
import { stripePayoutAccounts } from '#server/platform/adapters/stripe/payout-accounts.ts';
import { createStripeClient } from '#server/platform/adapters/stripe/stripe-client.ts';
import type { Config } from '#server/platform/config.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { sandboxKeys } from '#server/platform/secrets.ts';
import type { Shutdown } from './shutdown.ts';

export interface Surroundings {
  pool: Pool;
  clock: MovableClock;
  appSecret: string;
}

interface Integrations {
  /** What is served for the card company, beside the product's own pages. */
  pages: FastifyPluginAsync[];
  ports: Pick<Deps, 'cards' | 'payoutAccounts' | 'books'>;
}

/** Plays the card company in this process. Answers the port of its API. */
export async function runSandbox(config: Config, { pool, clock, appSecret }: Surroundings, shutdown: Shutdown) {
  const { startSandbox } = await import('#sandbox/start-sandbox.ts');
  const sandbox = await startSandbox({
    pool,
    clock,
    ...sandboxKeys(appSecret),
    apiPort: config.sandbox.port,
    webhookUrl: `http://127.0.0.1:${config.port}/api/webhooks/stripe`,
    publicUrl: config.publicUrl,
    isConsoleOpen: config.sandbox.isOpen,
    recordFile: config.sandbox.recordFile,
  });
  shutdown.add('sandbox', () => sandbox.close());
  return sandbox;
}

/** For a process beside the one that plays the card company: the hosted pages alone. */
export async function joinSandbox(config: Config, { pool, clock, appSecret }: Surroundings, apiPort: number) {
  const sandbox = await import('#sandbox/join-sandbox.ts');
  const pages = sandbox.joinSandbox({
    pool,
    clock,
    apiPort,
    secretKey: sandboxKeys(appSecret).secretKey,
    publicUrl: config.publicUrl,
    isConsoleOpen: config.sandbox.isOpen,
  });
  return { apiPort, pages };
}

/** @param sandbox null with keys of the real card company */
export function openIntegrations(
  { stripe, publicUrl }: Config,
  { clock, appSecret }: Pick<Surroundings, 'clock' | 'appSecret'>,
  sandbox: { apiPort: number; pages: FastifyPluginAsync } | null,
): Integrations {
  const { secretKey, webhookSecrets } = stripe ?? ownKeys(appSecret);
  const isLive = /_live_/.test(stripe?.secretKey ?? '');
  const api = sandbox ? { host: '127.0.0.1', port: sandbox.apiPort, protocol: 'http' as const } : null;
  const client = createStripeClient({ secretKey, api });
  return {
    pages: sandbox ? [sandbox.pages] : [],
    ports: {
      cards: stripePaymentProcessor(client, { webhookSecrets, publicUrl, clock, isLive }),
      payoutAccounts: stripePayoutAccounts(client, { publicUrl }),
      books: stripeBalanceTransactions(client),
    },
  };
}

function ownKeys(appSecret: string) {
  const { secretKey, webhookSecret } = sandboxKeys(appSecret);
  return { secretKey, webhookSecrets: [webhookSecret] };
}
