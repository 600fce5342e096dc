/** `/_sandbox/disputes` and `/_sandbox/refunds`: triggers actions of banks and card networks. */

import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { advanceDispute, bounceRefund, disputePayment } from '#sandbox/payments/bank-actions.ts';
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

/** Register in the control scope, which rejects requests from web pages. */
export function bankControlRoutes(control: FastifyInstance, core: Core): void {
  const postAction = (path: string, action: (ctx: OperationContext, id: string, body: unknown) => Promise<object>) =>
    control.post<{ Params: { id?: string } }>(path, ({ params, body }) =>
      runOperation(core, (ctx) => action(ctx, params.id ?? '', body)),
    );

  postAction('/_sandbox/disputes', (ctx, _id, body) => {
    const { payment_intent, ...dispute } = parseJsonBody(newDispute, body);
    return disputePayment(ctx, payment_intent, dispute);
  });
  postAction('/_sandbox/disputes/:id', (ctx, id, body) =>
    advanceDispute(ctx, id, parseJsonBody(disputeChange, body).become),
  );
  postAction('/_sandbox/refunds/:id', (ctx, id, body) => {
    parseJsonBody(refundChange, body);
    return bounceRefund(ctx, id);
  });
}
