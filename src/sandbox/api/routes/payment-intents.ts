/** /v1/payment_intents */

import { tell } from '../../events.ts';
import { findOwn, lockObject, saveObject } from '../../objects.ts';
import { stamp } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { choice, optional, parameters } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/payment_intents';

export const paymentIntentRoutes: Route[] = [
  route('GET', BASE, parameters({ ...paging, created }), (work, given) =>
    pageOfObjects(work, 'payment_intent', {}, given, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const intent = await findOwn(work, 'payment_intent', id);
    if (!intent) throw noSuch('payment_intent', id, 'intent');
    return intent.body;
  }),

  route(
    'POST',
    `${BASE}/:id/cancel`,
    parameters({
      cancellation_reason: optional(choice('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned')),
    }),
    async (work, { cancellation_reason }, { id = '' }) => {
      const intent = await lockObject(work, 'payment_intent', id);
      if (!intent) throw noSuch('payment_intent', id, 'intent');
      const { body } = intent;
      if (body.status === 'succeeded' || body.status === 'canceled') {
        throw invalidRequest(
          `You cannot cancel this PaymentIntent because it has a status of ${body.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
          { code: 'payment_intent_unexpected_state' },
        );
      }
      body.status = 'canceled';
      body.canceled_at = stamp(work);
      body.cancellation_reason = cancellation_reason ?? null;
      body.next_action = null;
      await saveObject(work, intent);
      await tell(work, 'payment_intent.canceled', body);
      return body;
    },
  ),
];
