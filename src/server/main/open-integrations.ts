/** Connects to Stripe or, without keys, to the sandbox that implements Stripe's API. */
import type { FastifyPluginAsync } from 'fastify';
import type { MovableClock } from '#server/platform/adapters/postgres-clock/postgres-clock.ts';
import { stripeBalanceTransactions } from '#server/platform/adapters/stripe/balance-transactions.ts';
import { findKeyProblem } from '#server/platform/adapters/stripe/find-key-problem.ts';
import { stripePaymentProcessor } from '#server/platform/adapters/stripe/payment-processor.ts';
import { stripePayoutAccounts } from '#server/platform/adapters/stripe/payout-accounts.ts';
import { createStripeClient } from '#server/platform/adapters/stripe/stripe-client.ts';
import type { Config } from '#server/platform/config.ts';
import type { Pool } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AppSecret, sandboxKeys } from '#server/platform/secrets.ts';
import type { Shutdown } from './shutdown.ts';

export interface SandboxResources {
  pool: Pool;
  clock: MovableClock;
  appSecret: AppSecret;
}

interface Integrations {
  /** The sandbox's hosted pages. */
  pages: FastifyPluginAsync[];
  ports: Pick<Deps, 'paymentProcessor' | 'payoutAccounts' | 'balanceTransactions'>;
}

/** Runs the sandbox in this process. */
export async function runSandbox(config: Config, { pool, clock, appSecret }: SandboxResources, shutdown: Shutdown) {
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

/** For processes that do not run the sandbox: its hosted pages only. */
export async function joinSandbox(config: Config, { pool, clock, appSecret }: SandboxResources, apiPort: number) {
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

/** @param sandbox null with Stripe keys */
export function openIntegrations(
  { stripe, publicUrl }: Config,
  { clock, appSecret }: Pick<SandboxResources, 'clock' | 'appSecret'>,
  sandbox: { apiPort: number; pages: FastifyPluginAsync } | null,
): Integrations {
  const { secretKey, webhookSecrets } = stripe ?? sandboxConfig(appSecret);
  const isLive = stripe?.isLive ?? false;
  const api = sandbox ? { host: '127.0.0.1', port: sandbox.apiPort, protocol: 'http' as const } : null;
  const client = createStripeClient({ secretKey, api });
  return {
    pages: sandbox ? [sandbox.pages] : [],
    ports: {
      paymentProcessor: stripePaymentProcessor(client, { webhookSecrets, publicUrl, clock, isLive, appSecret }),
      payoutAccounts: stripePayoutAccounts(client, { publicUrl }),
      balanceTransactions: stripeBalanceTransactions(client, appSecret),
    },
  };
}

/** For the doctor: whether Stripe accepts the key. Null for the sandbox. */
export const keyCheck = ({ stripe }: Pick<Config, 'stripe'>): (() => Promise<string | null>) | null =>
  stripe && (() => findKeyProblem(createStripeClient({ secretKey: stripe.secretKey, api: null })));

function sandboxConfig(appSecret: AppSecret) {
  const { secretKey, webhookSecret } = sandboxKeys(appSecret);
  return { secretKey, webhookSecrets: [webhookSecret] };
}
