/** /v1/payment_intents */

import { emitEvent } from '#sandbox/webhooks/events.ts';
import { findOwnObject, lockObject, saveObject } from '../../objects.ts';
import { timestamp } from '../../operation-context.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { oneOf, optional, parameters } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/payment_intents';

export const paymentIntentRoutes: Route[] = [
  route('GET', BASE, parameters({ ...paging, created }), (ctx, params) =>
    listObjects(ctx, 'payment_intent', {}, params, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const intent = await findOwnObject(ctx, 'payment_intent', id);
    if (!intent) throw resourceMissing('payment_intent', id, 'intent');
    return intent.body;
  }),

  route(
    'POST',
    `${BASE}/:id/cancel`,
    parameters({
      cancellation_reason: optional(oneOf('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned')),
    }),
    async (ctx, { cancellation_reason }, { id = '' }) => {
      const intent = await lockObject(ctx, 'payment_intent', id);
      if (!intent) throw resourceMissing('payment_intent', id, 'intent');
      const { body } = intent;
      if (body.status === 'succeeded' || body.status === 'canceled') {
        throw invalidRequest(
          `You cannot cancel this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
          { code: 'payment_intent_unexpected_state' },
        );
      }
      body.status = 'canceled';
      body.canceled_at = timestamp(ctx);
      body.cancellation_reason = cancellation_reason ?? null;
      body.next_action = null;
      await saveObject(ctx, intent);
      await emitEvent(ctx, 'payment_intent.canceled', body);
      return body;
    },
  ),
];
