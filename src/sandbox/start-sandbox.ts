/**
 * The outside world in a box: Stripe's HTTP API on a loopback port, its hosted pages on the product's own origin,
 * its webhooks, and a clock that can be moved. All state is in the schema `sandbox` of the product's database.
 */

import type { AddressInfo } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import type pg from 'pg';
import { apiListener } from './api/api-server.ts';
import { CallsUnderWay } from './inflight-calls.ts';
import { ClockWork, type SandboxClock } from './scheduler.ts';
import { configureEndpoints } from './configured-endpoints.ts';
import type { Core } from './core.ts';
import { Deliveries } from './webhook-dispatcher.ts';
import { Faults } from './faults.ts';
import { hostedPages } from './pages/hosted-pages.ts';
import { Recording } from './recording.ts';

export interface SandboxOptions {
  /** Of a database in which the schema stands (`migrate` in database.ts). */
  pool: pg.Pool;
  /** Loopback only; 0 takes any free port. */
  apiPort: number;
  secretKey: string;
  webhookSecret: string;
  /** The product's POST /api/webhooks/stripe. */
  webhookUrl: string;
  /** Where thin events about connected accounts go, with a secret of its own. Null, or left out: nowhere. */
  accountsWebhook?: { url: string; secret: string } | null;
  /** Origin of the hosted pages: the product's own. */
  publicUrl: string;
  /** One clock with the product; it moves forward only. */
  clock: SandboxClock;
  /** Show the console to everybody, not to this machine only. */
  isConsoleOpen: boolean;
  /** File that every exchange and webhook is appended to. */
  recordFile: string | null;
}

export interface Sandbox {
  apiPort: number;
  pages: FastifyPluginAsync;
  /** Does what has fallen due, as each tick does, and resolves when no webhook delivery is under way or due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const TICK_MS = 1_000;

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { pool, clock, apiPort, secretKey, isConsoleOpen } = options;
  const publicUrl = options.publicUrl.replace(/\/$/, '');
  const faults = new Faults();
  const recording = new Recording(options.recordFile);
  const deliveries = new Deliveries({ pool, faults, recording, now: () => clock.now().getTime() / 1000 });
  const clockWork = new ClockWork({ pool, clock, deliveries, publicUrl });
  const calls = new CallsUnderWay();
  const core: Core = {
    pool,
    clock,
    publicUrl,
    secretKey,
    isConsoleOpen,
    faults,
    recording,
    deliveries,
    clockWork,
    calls,
  };
  const webhook = { url: options.webhookUrl, secret: options.webhookSecret };
  await configureEndpoints(core, webhook, options.accountsWebhook ?? null);

  const listener = apiListener(core);
  await listener.listen({ host: '127.0.0.1', port: apiPort });
  const stopTicking = everyTick(async () => {
    await clockWork.runIfDue();
    deliveries.wake();
  });

  return {
    apiPort: portOf(listener.server.address()),
    pages: hostedPages(core),
    async idle() {
      await clockWork.runIfDue();
      await clockWork.idle();
      await deliveries.idle();
    },
    async close() {
      await stopTicking();
      await listener.close();
      await clockWork.idle();
      await deliveries.close();
      await recording.close();
    },
  };
}

/** Answers a function that ends the ticking and waits for the tick under way. */
function everyTick(tick: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    // The database may be away for a while; the next tick finds it again.
    underWay ??= tick()
      .catch(() => {})
      .finally(() => {
        underWay = null;
      });
  }, TICK_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Error('the sandbox listens on no port');
}
