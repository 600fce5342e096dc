/** `/_sandbox/*`: controls the clock, faults and simulated bank actions. Rejects requests from browsers. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { type Core, unixNow } from '../core.ts';
import { accountControlRoutes } from './account-control.ts';
import { bankControlRoutes } from './bank-control.ts';
import { deliveryControlRoutes } from './delivery-control.ts';
import { invalidRequest } from './errors.ts';
import { addFault } from './fault-control.ts';
import { parseJsonBody } from './json-body.ts';

const clockChange = z.union([
  z.strictObject({ advance_seconds: z.int().min(0) }),
  z.strictObject({ set: z.union([z.iso.datetime({ offset: true }), z.int().min(0)]) }),
]);

export function controlRoutes(app: FastifyInstance, core: Core): void {
  app.register(async (control) => {
    control.addHook('onRequest', async ({ headers }) => {
      const isBrowser = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
      if (isBrowser) throw invalidRequest('Web pages cannot control the sandbox.', { status: 403 });
    });

    control.get('/_sandbox/clock', async () => readClock(core));

    control.post('/_sandbox/clock', async ({ body }) => {
      const change = parseJsonBody(clockChange, body);
      const seconds = 'set' in change ? secondsUntil(core, change.set) : change.advance_seconds;
      if (seconds < 0) throw invalidRequest('The clock only moves forward.', { param: 'set' });
      // Calls in flight must finish before the clock passes the expiry of their idempotency keys.
      await core.inflightCalls.settled();
      await core.scheduler.advance(seconds);
      return readClock(core);
    });

    control.get('/_sandbox/faults', async () => core.faults.pending());

    control.post('/_sandbox/faults', async ({ body }) => {
      addFault(core.faults, body);
      return core.faults.pending();
    });

    bankControlRoutes(control, core);
    accountControlRoutes(control, core);
    deliveryControlRoutes(control, core);

    control.delete('/_sandbox/faults', async () => {
      core.faults.clear();
      return core.faults.pending();
    });
  });
}

function readClock(core: Core): object {
  const now = core.clock.now();
  return {
    now: now.toISOString(),
    unix: Math.floor(unixNow(core)),
    offset_seconds: Math.round((now.getTime() - Date.now()) / 1000),
  };
}

const secondsUntil = (core: Core, time: string | number) =>
  Math.ceil((typeof time === 'number' ? time : Date.parse(time) / 1000) - unixNow(core));
