/** `/_sandbox/*`: the clock and the faults, for tests. Never for a web page: a browser's call is refused. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { type Core, nowOf } from '../core.ts';
import { callFaults, webhookFaults } from '../faults.ts';
import { invalidRequest } from './errors.ts';

const clockMove = z.union([
  z.strictObject({ advance_seconds: z.int().min(0) }),
  z.strictObject({ set: z.union([z.iso.datetime({ offset: true }), z.int().min(0)]) }),
]);

const times = z.int().min(1).max(1_000_000).default(1);
const ms = z.int().min(0).max(600_000).default(1_000);
const fault = z.union([
  z.strictObject({
    match: z.strictObject({ method: z.optional(z.string()), path: z.optional(z.string()) }).default({}),
    mode: z.enum(callFaults),
    times,
    ms,
  }),
  z.strictObject({ webhook: z.enum(webhookFaults), times, ms }),
]);

export function controlRoutes(app: FastifyInstance, core: Core): void {
  app.register(async (control) => {
    control.addHook('onRequest', async ({ headers }) => {
      const isBrowser = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
      if (isBrowser) throw invalidRequest('The sandbox is not moved by web pages.', { status: 403 });
    });

    control.get('/_sandbox/clock', async () => clockNow(core));

    control.post('/_sandbox/clock', async ({ body }) => {
      const move = parsed(clockMove, body);
      const seconds = 'set' in move ? secondsUntil(core, move.set) : move.advance_seconds;
      if (seconds < 0) throw invalidRequest('The clock moves forward only.', { param: 'set' });
      await core.clockWork.advance(seconds);
      return clockNow(core);
    });

    control.get('/_sandbox/faults', async () => core.faults.pending());

    control.post('/_sandbox/faults', async ({ body }) => {
      const wanted = parsed(fault, body);
      if ('webhook' in wanted)
        core.faults.planWebhook({ webhook: wanted.webhook, timesLeft: wanted.times, ms: wanted.ms });
      else core.faults.planCall({ match: wanted.match, mode: wanted.mode, timesLeft: wanted.times, ms: wanted.ms });
      return core.faults.pending();
    });

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

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : '');
  } catch {
    throw invalidRequest('The body must be JSON.');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalidRequest(z.prettifyError(result.error));
}
