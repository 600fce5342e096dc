/** `/_sandbox/disputes` and `/_sandbox/refunds`: what banks do of their own accord, for tests to bring about. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { advanceDispute, bounceRefund, disputePayment } from '../bank-actions.ts';
import { type Core, runOperation } from '../core.ts';
import type { OperationContext } from '../operation-context.ts';
import { parseJsonBody } from './json-body.ts';

const newDispute = z.strictObject({
  payment_intent: z.string(),
  kind: z.enum(['chargeback', 'inquiry', 'prevented']).default('chargeback'),
  reason: z.enum(['fraudulent', 'general', 'product_not_received']).default('fraudulent'),
});
const disputeChange = z.strictObject({ become: z.enum(['won', 'lost', 'chargeback']) });
const refundChange = z.strictObject({ become: z.literal('failed') });

/** Goes into the scope that keeps web pages out. */
export function bankControlRoutes(control: FastifyInstance, core: Core): void {
  const bringAbout = (path: string, step: (ctx: OperationContext, id: string, body: unknown) => Promise<object>) =>
    control.post<{ Params: { id?: string } }>(path, ({ params, body }) =>
      runOperation(core, (ctx) => step(ctx, params.id ?? '', body)),
    );

  bringAbout('/_sandbox/disputes', (ctx, _id, body) => {
    const { payment_intent, ...how } = parseJsonBody(newDispute, body);
    return disputePayment(ctx, payment_intent, how);
  });
  bringAbout('/_sandbox/disputes/:id', (ctx, id, body) =>
    advanceDispute(ctx, id, parseJsonBody(disputeChange, body).become),
  );
  bringAbout('/_sandbox/refunds/:id', (ctx, id, body) => {
    parseJsonBody(refundChange, body);
    return bounceRefund(ctx, id);
  });
}
