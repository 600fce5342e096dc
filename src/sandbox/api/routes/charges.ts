/** /v1/charges */

import { findObject } from '../../objects.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { optional, parameters, text } from '../parameters.ts';
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
    const charge = await findObject(work, 'charge', id);
    if (!charge) throw noSuch('charge', id);
    return charge.body;
  }),
];
