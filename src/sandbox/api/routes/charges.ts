/** /v1/charges */

import { tell } from '../../events.ts';
import { findOwn, lockObject, saveObject } from '../../objects.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { metadataChange, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/charges';

export const chargeRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, payment_intent: optional(text), transfer_group: optional(text) }),
    (work, { payment_intent, transfer_group, ...page }) =>
      pageOfObjects(work, 'charge', { payment_intent, transfer_group }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const charge = await findOwn(work, 'charge', id);
    if (!charge) throw noSuch('charge', id);
    return charge.body;
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({ description: optional(text), metadata: metadataChange }),
    async (work, { description, metadata }, { id = '' }) => {
      const isOwn = await findOwn(work, 'charge', id);
      const charge = isOwn && (await lockObject(work, 'charge', id));
      if (!charge) throw noSuch('charge', id);
      charge.body.metadata = metadata(charge.body.metadata);
      charge.body.description = description ?? charge.body.description;
      await saveObject(work, charge);
      await tell(work, 'charge.updated', charge.body);
      return charge.body;
    },
  ),
];
