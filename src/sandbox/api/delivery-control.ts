/** `/_sandbox/events/{id}` and `/_sandbox/webhook_endpoints/{id}`: the Dashboard's webhook features. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { listAttempts, resendEvent } from '#sandbox/webhooks/delivery-queue.ts';
import { type Core, runOperation } from '../core.ts';
import { randomText } from '../ids.ts';
import { lockObject, saveObject } from '../objects.ts';
import { resourceMissing } from './errors.ts';
import { parseJsonBody } from './json-body.ts';

const DAY = 24 * 60 * 60;
/** How long the old secret keeps signing along with the new one. */
const secretRotation = z.strictObject({ expires_in_seconds: z.int().min(0).max(DAY).default(DAY) });

type WithId = { Params: { id: string } };

/** Register in the control scope, which rejects requests from web pages. */
export function deliveryControlRoutes(control: FastifyInstance, core: Core): void {
  control.get<WithId>('/_sandbox/events/:id/attempts', ({ params: { id } }) =>
    runOperation(core, async (ctx) => ({ data: await listAttempts(ctx, id) })),
  );

  control.post<WithId>('/_sandbox/events/:id/resend', ({ params: { id } }) =>
    runOperation(core, async (ctx) => {
      const deliveries = await resendEvent(ctx, id);
      if (deliveries === 0) throw resourceMissing('event', id);
      return { deliveries };
    }),
  );

  // Hosted pages in other processes call this after they queue events.
  control.post('/_sandbox/deliveries', async () => {
    core.webhooks.wake();
    return {};
  });

  control.post<WithId>('/_sandbox/webhook_endpoints/:id/roll_secret', ({ params: { id }, body }) => {
    const { expires_in_seconds } = parseJsonBody(secretRotation, body);
    return runOperation(core, async (ctx) => {
      const endpoint = await lockObject(ctx, 'webhook_endpoint', id);
      if (!endpoint) throw resourceMissing('webhook endpoint', id);
      const previous = { secret: endpoint.inside.secret, until: ctx.now + expires_in_seconds };
      endpoint.inside = { ...endpoint.inside, secret: `whsec_${randomText(32)}`, previous };
      await saveObject(ctx, endpoint);
      return { id, secret: endpoint.inside.secret };
    });
  });
}
