/** /v1/radar/early_fraud_warnings */

import { findOwnObject } from '../../objects.ts';
import { resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/radar/early_fraud_warnings';

export const earlyFraudWarningRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    (ctx, { charge, payment_intent, ...page }) =>
      listObjects(ctx, 'radar.early_fraud_warning', { charge, payment_intent }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const warning = await findOwnObject(ctx, 'radar.early_fraud_warning', id);
    if (!warning) throw resourceMissing('radar.early_fraud_warning', id);
    return warning.body;
  }),
];
