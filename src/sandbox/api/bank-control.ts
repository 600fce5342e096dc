/** `/_sandbox/disputes` and `/_sandbox/refunds`: what banks do of their own accord, for tests to bring about. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { asPage, type Core } from '../core.ts';
import { disputePayment, happenToDispute, loseRefund } from '../bank-actions.ts';
import type { Work } from '../operation-context.ts';
import { readBody } from './json-body.ts';

const opening = z.strictObject({
  payment_intent: z.string(),
  kind: z.enum(['chargeback', 'inquiry', 'prevented']).default('chargeback'),
  reason: z.enum(['fraudulent', 'general', 'product_not_received']).default('fraudulent'),
});
const turn = z.strictObject({ become: z.enum(['won', 'lost', 'chargeback']) });
const failure = z.strictObject({ become: z.literal('failed') });

/** Goes into the scope that keeps web pages out. */
export function happeningRoutes(control: FastifyInstance, core: Core): void {
  const bringAbout = (path: string, step: (work: Work, id: string, body: unknown) => Promise<object>) =>
    control.post<{ Params: { id?: string } }>(path, ({ params, body }) =>
      asPage(core, (work) => step(work, params.id ?? '', body)),
    );

  bringAbout('/_sandbox/disputes', (work, _id, body) => {
    const { payment_intent, ...how } = readBody(opening, body);
    return disputePayment(work, payment_intent, how);
  });
  bringAbout('/_sandbox/disputes/:id', (work, id, body) => happenToDispute(work, id, readBody(turn, body).become));
  bringAbout('/_sandbox/refunds/:id', (work, id, body) => {
    readBody(failure, body);
    return loseRefund(work, id);
  });
}
