/** `/_sandbox/*`: the clock, the faults and what the outside world does, for tests. Never for a web page: a browser's call is refused. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { type Core, nowOf } from '../core.ts';
import { accountControlRoutes } from './account-control.ts';
import { deliveryControlRoutes } from './delivery-control.ts';
import { invalidRequest } from './errors.ts';
import { happeningRoutes } from './bank-control.ts';
import { readBody } from './json-body.ts';
import { planFault } from './fault-control.ts';

const clockMove = z.union([
  z.strictObject({ advance_seconds: z.int().min(0) }),
  z.strictObject({ set: z.union([z.iso.datetime({ offset: true }), z.int().min(0)]) }),
]);

export function controlRoutes(app: FastifyInstance, core: Core): void {
  app.register(async (control) => {
    control.addHook('onRequest', async ({ headers }) => {
      const isBrowser = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
      if (isBrowser) throw invalidRequest('The sandbox is not moved by web pages.', { status: 403 });
    });

    control.get('/_sandbox/clock', async () => clockNow(core));

    control.post('/_sandbox/clock', async ({ body }) => {
      const move = readBody(clockMove, body);
      const seconds = 'set' in move ? secondsUntil(core, move.set) : move.advance_seconds;
      if (seconds < 0) throw invalidRequest('The clock moves forward only.', { param: 'set' });
      // A call whose caller has given up must not be carried out after its key is forgotten: no network is that slow.
      await core.calls.finished();
      await core.clockWork.advance(seconds);
      return clockNow(core);
    });

    control.get('/_sandbox/faults', async () => core.faults.pending());

    control.post('/_sandbox/faults', async ({ body }) => {
      planFault(core.faults, body);
      return core.faults.pending();
    });

    happeningRoutes(control, core);
    accountControlRoutes(control, core);
    deliveryControlRoutes(control, core);

    control.delete('/_sandbox/faults', async () => {
      core.faults.clear();
      return core.faults.pending();
    });
  });
}

function clockNow(core: Core): object {
  const now = core.clock.now();
  return {
    now: now.toISOString(),
    unix: Math.floor(nowOf(core)),
    offset_seconds: Math.round((now.getTime() - Date.now()) / 1000),
  };
}

const secondsUntil = (core: Core, moment: string | number) =>
  Math.ceil((typeof moment === 'number' ? moment : Date.parse(moment) / 1000) - nowOf(core));
