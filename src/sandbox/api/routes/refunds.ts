/** /v1/refunds */

import { refundCharge } from '#sandbox/payments/refunds.ts';
import { findOwnObject, lockObject, saveObject } from '../../objects.ts';
import type { OperationContext } from '../../operation-context.ts';
import { invalidRequest, missingParameter, resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { atLeast, metadata, metadataUpdate, oneOf, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/refunds';

async function lockChargeToRefund(
  ctx: OperationContext,
  params: { charge: string | undefined; payment_intent: string | undefined },
) {
  if (params.charge === undefined && params.payment_intent === undefined) throw missingParameter('payment_intent');
  const id = params.charge ?? (await findLatestCharge(ctx, params.payment_intent ?? ''));
  const charge = await lockObject(ctx, 'charge', id);
  if (!charge) throw resourceMissing('charge', id, 'charge');
  return charge;
}

async function findLatestCharge(ctx: OperationContext, intentId: string): Promise<string> {
  const intent = await findOwnObject(ctx, 'payment_intent', intentId);
  if (!intent) throw resourceMissing('payment_intent', intentId, 'payment_intent');
  if (intent.body.status === 'succeeded' && intent.body.latest_charge) return intent.body.latest_charge;
  throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    code: 'resource_missing',
  });
}

export const refundRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({
      charge: optional(text),
      payment_intent: optional(text),
      amount: optional(atLeast(1)),
      reason: optional(oneOf('duplicate', 'fraudulent', 'requested_by_customer')),
      metadata,
    }),
    async (ctx, { charge, payment_intent, amount, reason, metadata: params }) =>
      refundCharge(ctx, await lockChargeToRefund(ctx, { charge, payment_intent }), {
        amount,
        reason: reason ?? null,
        metadata: params,
      }),
  ),

  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    (ctx, { charge, payment_intent, ...page }) => listObjects(ctx, 'refund', { charge, payment_intent }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const refund = await findOwnObject(ctx, 'refund', id);
    if (!refund) throw resourceMissing('refund', id);
    return refund.body;
  }),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataUpdate }), async (ctx, params, { id = '' }) => {
    const refund = await lockObject(ctx, 'refund', id);
    if (!refund) throw resourceMissing('refund', id);
    refund.body.metadata = params.metadata(refund.body.metadata);
    await saveObject(ctx, refund);
    return refund.body;
  }),

  route('POST', `${BASE}/:id/cancel`, parameters({}), async (ctx, _params, { id = '' }) => {
    const refund = await findOwnObject(ctx, 'refund', id);
    if (!refund) throw resourceMissing('refund', id);
    throw invalidRequest(`You cannot cancel this refund because it has a status of ${refund.body.status}.`);
  }),
];
