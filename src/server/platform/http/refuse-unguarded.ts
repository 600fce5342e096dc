/** Keeps the product from starting with a call that nobody guards. */
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { publicEvent } from '#contract/events.ts';
import { onboardingRefreshPath } from '#contract/payouts.ts';
import { waitingRoom } from '#contract/waiting-room.ts';

/** Answered from memory, without the ordinary way. Only what anyone may read can be: the type says so. */
const published: readonly Endpoint<z.ZodMiniType, z.ZodMiniType, 'public'>[] = [publicEvent, waitingRoom];

/** Not in the contract, because no screen calls it, with what decides in a guard's place. Each has its own test. */
const ownGuards: Readonly<Record<string, string>> = {
  'POST /api/webhooks/stripe': 'the signature over the body',
  [`GET ${onboardingRefreshPath}`]: 'a stranger is led to the log-in',
};

const passes = new Set([...published.map(addressOf), ...Object.keys(ownGuards)]);

/** To be asked before any route is there: each that comes later is looked at. */
export function requireGuards(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!/^\/+api\b/i.test(url)) return;
    for (const each of [method].flat()) {
      // Whoever answers GET answers HEAD too, by the same route.
      const address = addressOf({ method: each === 'HEAD' ? 'GET' : each, path: url });
      const isMounted = config?.endpoint !== undefined && addressOf(config.endpoint) === address;
      if (!isMounted && !passes.has(address))
        throw new Error(`${address}: no guard. Mount an endpoint of the contract.`);
    }
  });
}

function addressOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}
