/** `/_sandbox/events/{id}` and `/_sandbox/webhook_endpoints/{id}`: what the Dashboard does with webhooks. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { asPage, type Core } from '../core.ts';
import { attemptsOf, resend } from '../delivery-queue.ts';
import { randomText } from '../ids.ts';
import { lockObject, saveObject } from '../objects.ts';
import { noSuch } from './errors.ts';
import { readBody } from './json-body.ts';

const DAY = 24 * 60 * 60;
/** For as long the old secret signs beside the new one. */
const rotation = z.strictObject({ expires_in_seconds: z.int().min(0).max(DAY).default(DAY) });

type Named = { Params: { id: string } };

/** Goes into the scope that keeps web pages out. */
export function deliveryControlRoutes(control: FastifyInstance, core: Core): void {
  control.get<Named>('/_sandbox/events/:id/attempts', ({ params: { id } }) =>
    asPage(core, async (work) => ({ data: await attemptsOf(work, id) })),
  );

  control.post<Named>('/_sandbox/events/:id/resend', ({ params: { id } }) =>
    asPage(core, async (work) => {
      const deliveries = await resend(work, id);
      if (deliveries === 0) throw noSuch('event', id);
      return { deliveries };
    }),
  );

  // Said by hosted pages that run in another process: what they did has queued events.
  control.post('/_sandbox/deliveries', async () => {
    core.deliveries.wake();
    return {};
  });

  control.post<Named>('/_sandbox/webhook_endpoints/:id/roll_secret', ({ params: { id }, body }) => {
    const { expires_in_seconds } = readBody(rotation, body);
    return asPage(core, async (work) => {
      const endpoint = await lockObject(work, 'webhook_endpoint', id);
      if (!endpoint) throw noSuch('webhook endpoint', id);
      const previous = { secret: endpoint.inside.secret, until: work.now + expires_in_seconds };
      endpoint.inside = { ...endpoint.inside, secret: `whsec_${randomText(32)}`, previous };
      await saveObject(work, endpoint);
      return { id, secret: endpoint.inside.secret };
    });
  });
}
