/** /v1/refunds */

import { findOwn, lockObject, saveObject } from '../../objects.ts';
import { refundCharge } from '../../refunds.ts';
import type { Work } from '../../operation-context.ts';
import { invalidRequest, missingParameter, noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { atLeast, choice, metadata, metadataChange, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/refunds';

async function chargeToRefund(work: Work, given: { charge: string | undefined; payment_intent: string | undefined }) {
  if (given.charge === undefined && given.payment_intent === undefined) throw missingParameter('payment_intent');
  const id = given.charge ?? (await latestCharge(work, given.payment_intent ?? ''));
  const charge = await lockObject(work, 'charge', id);
  if (!charge) throw noSuch('charge', id, 'charge');
  return charge;
}

async function latestCharge(work: Work, intentId: string): Promise<string> {
  const intent = await findOwn(work, 'payment_intent', intentId);
  if (!intent) throw noSuch('payment_intent', intentId, 'payment_intent');
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
      reason: optional(choice('duplicate', 'fraudulent', 'requested_by_customer')),
      metadata,
    }),
    async (work, { charge, payment_intent, amount, reason, metadata: given }) =>
      refundCharge(work, await chargeToRefund(work, { charge, payment_intent }), {
        amount,
        reason: reason ?? null,
        metadata: given,
      }),
  ),

  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    (work, { charge, payment_intent, ...page }) =>
      pageOfObjects(work, 'refund', { charge, payment_intent }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const refund = await findOwn(work, 'refund', id);
    if (!refund) throw noSuch('refund', id);
    return refund.body;
  }),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataChange }), async (work, given, { id = '' }) => {
    const refund = await lockObject(work, 'refund', id);
    if (!refund) throw noSuch('refund', id);
    refund.body.metadata = given.metadata(refund.body.metadata);
    await saveObject(work, refund);
    return refund.body;
  }),

  route('POST', `${BASE}/:id/cancel`, parameters({}), async (work, _given, { id = '' }) => {
    const refund = await findOwn(work, 'refund', id);
    if (!refund) throw noSuch('refund', id);
    throw invalidRequest(`You cannot cancel this refund because it has a status of ${refund.body.status}.`);
  }),
];
