/**
 * A local stand-in for Stripe: the HTTP API on a loopback port, the hosted pages on the product's own origin, webhooks,
 * and a movable clock. All state is in the `sandbox` schema of the product's database.
 */

import type { AddressInfo } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import type pg from 'pg';
import { createApiServer } from './api/api-server.ts';
import type { Core } from './core.ts';
import { Faults } from './faults.ts';
import { InflightCalls } from './inflight-calls.ts';
import { hostedPages } from './pages/hosted-pages.ts';
import { Recorder } from './recorder.ts';
import { type SandboxClock, Scheduler } from './scheduler.ts';
import { configureEndpoints } from './webhooks/configured-endpoints.ts';
import { WebhookDispatcher } from './webhooks/webhook-dispatcher.ts';

export interface SandboxOptions {
  /** Pool of a migrated database (`migrate` in database.ts). */
  pool: pg.Pool;
  /** Listens on loopback. 0 picks a free port. */
  apiPort: number;
  secretKey: string;
  webhookSecret: string;
  /** The product's POST /api/webhooks/stripe. */
  webhookUrl: string;
  /** Endpoint for thin events about connected accounts. They are not sent when absent. */
  accountsWebhook?: { url: string; secret: string } | null;
  /** The product's origin, which serves the hosted pages. */
  publicUrl: string;
  /** Shared with the product. Only moves forward. */
  clock: SandboxClock;
  /** Allows access to the console from other machines. */
  isConsoleOpen: boolean;
  /** Every API exchange and webhook is appended to this file. */
  recordFile: string | null;
}

export interface Sandbox {
  apiPort: number;
  pages: FastifyPluginAsync;
  /** Runs due work, as each tick does, and resolves when no webhook delivery is in flight or due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 1_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { pool, clock, apiPort, secretKey, isConsoleOpen } = options;
  const publicUrl = options.publicUrl.replace(/\/$/, '');
  const faults = new Faults();
  const recorder = new Recorder(options.recordFile);
  const webhooks = new WebhookDispatcher({ pool, faults, recorder, now: () => clock.now().getTime() / 1000 });
  const scheduler = new Scheduler({ pool, clock, webhooks, publicUrl });
  const inflightCalls = new InflightCalls();
  const core: Core = {
    pool,
    clock,
    publicUrl,
    secretKey,
    isConsoleOpen,
    faults,
    recorder,
    webhooks,
    scheduler,
    inflightCalls,
  };
  const webhook = { url: options.webhookUrl, secret: options.webhookSecret };
  await configureEndpoints(core, webhook, options.accountsWebhook ?? null);

  const server = createApiServer(core);
  await server.listen({ host: '127.0.0.1', port: apiPort });
  const stopTicking = startTicking(async () => {
    await scheduler.runIfDue();
    webhooks.wake();
  });

  return {
    apiPort: portOf(server.server.address()),
    pages: hostedPages(core),
    async idle() {
      await scheduler.runIfDue();
      await scheduler.idle();
      await webhooks.idle();
    },
    async close() {
      await stopTicking();
      await server.close();
      await scheduler.idle();
      await webhooks.close();
      await recorder.close();
    },
  };
}

/** Returns a function that stops the timer and waits for the current tick. */
function startTicking(tick: () => Promise<void>): () => Promise<void> {
  let currentTick: Promise<void> | null = null;
  const timer = setInterval(() => {
    // The database may be unreachable for a while. The next tick retries.
    currentTick ??= tick()
      .catch(() => {})
      .finally(() => {
        currentTick = null;
      });
  }, TICK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await currentTick;
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('The sandbox is not listening on a port');
}
