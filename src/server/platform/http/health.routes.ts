/** Liveness and readiness probes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Build } from '#server/platform/build.ts';
import { isDirectLoopback } from './direct-loopback.ts';

/** A database that answers later than this counts as away: load balancers wait no longer. */
const ANSWER_MS = 1_000;
const RETRY_SECONDS = 3;

interface Health {
  isReady: () => Promise<boolean>;
  /** Which code runs. Only requests that come directly from this machine learn it. */
  build: Build | null;
}

export function health(app: FastifyInstance, { isReady, build }: Health): void {
  app.get('/livez', async () => ({ status: 'alive' }));

  app.get('/readyz', async ({ socket: { remoteAddress }, headers }, reply) => {
    const isReadyNow = await answeredInTime(isReady());
    if (!isReadyNow) reply.header('retry-after', RETRY_SECONDS);
    const status = isReadyNow ? 'ready' : 'not ready';
    const details = isDirectLoopback({ remoteAddress, headers }) ? build : null;
    return reply.code(isReadyNow ? 200 : 503).send({ status, ...details });
  });
}

async function answeredInTime(isReady: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const isReadyNow = await Promise.race([isReady.catch(() => false), sleep(ANSWER_MS, false, { signal: late.signal })]);
  late.abort();
  return isReadyNow;
}
