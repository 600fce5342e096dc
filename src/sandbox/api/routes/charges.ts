/** /v1/charges */

import { emitEvent } from '#sandbox/webhooks/events.ts';
import { findOwnObject, lockObject, saveObject } from '../../objects.ts';
import { resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { metadataUpdate, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/charges';

export const chargeRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, payment_intent: optional(text), transfer_group: optional(text) }),
    (ctx, { payment_intent, transfer_group, ...page }) =>
      listObjects(ctx, 'charge', { payment_intent, transfer_group }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const charge = await findOwnObject(ctx, 'charge', id);
    if (!charge) throw resourceMissing('charge', id);
    return charge.body;
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({ description: optional(text), metadata: metadataUpdate }),
    async (ctx, { description, metadata }, { id = '' }) => {
      const isOwn = await findOwnObject(ctx, 'charge', id);
      const charge = isOwn && (await lockObject(ctx, 'charge', id));
      if (!charge) throw resourceMissing('charge', id);
      charge.body.metadata = metadata(charge.body.metadata);
      charge.body.description = description ?? charge.body.description;
      await saveObject(ctx, charge);
      await emitEvent(ctx, 'charge.updated', charge.body);
      return charge.body;
    },
  ),
];
