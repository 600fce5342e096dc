/** Keeps the app from starting if a route under /api has no guard. */
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod/mini';
import { publicEvent } from '#contract/app/events.ts';
import { onboardingRefreshPath } from '#contract/app/payouts.ts';
import { waitingRoom } from '#contract/app/waiting-room.ts';
import type { Endpoint } from '#contract/endpoint.ts';

/** Served from the cache, bypassing `mount`. The type allows public endpoints only. */
const servedFromCache: readonly Endpoint<z.ZodMiniType, z.ZodMiniType, 'public'>[] = [publicEvent, waitingRoom];

const APPLE_WALLET = '/api/public/wallet/apple/v1';
const PHONE = `${APPLE_WALLET}/devices/:deviceId/registrations/:passType`;

/** Routes outside the contract, with the check that replaces the guard. Each has its own test. */
const exempt: Readonly<Record<string, string>> = {
  'POST /api/webhooks/stripe': 'the signature over the body',
  [`GET ${onboardingRefreshPath}`]: 'a redirect to the log-in page',
  [`POST ${PHONE}/:passId`]: 'the token of the pass',
  [`DELETE ${PHONE}/:passId`]: 'the token of the pass',
  [`GET ${PHONE}`]: 'the id of the phone, which Apple keeps secret',
  [`GET ${APPLE_WALLET}/passes/:passType/:passId`]: 'the token of the pass',
  [`POST ${APPLE_WALLET}/log`]: 'nothing: only the number of its messages is logged',
};

const allowed = new Set([...servedFromCache.map(routeKey), ...Object.keys(exempt)]);

/** Call before the first route is added: the hook checks only routes added later. */
export function requireGuards(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!/^\/+api\b/i.test(url)) return;
    for (const each of [method].flat()) {
      // Fastify adds a HEAD route for every GET route.
      const key = routeKey({ method: each === 'HEAD' ? 'GET' : each, path: url });
      const isMounted = config?.endpoint !== undefined && routeKey(config.endpoint) === key;
      if (!isMounted && !allowed.has(key)) throw new Error(`${key}: no guard. Mount an endpoint of the contract.`);
    }
  });
}

function routeKey({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}
