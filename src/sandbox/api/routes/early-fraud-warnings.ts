/** /v1/radar/early_fraud_warnings */

import { findOwn } from '../../objects.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/radar/early_fraud_warnings';

export const earlyFraudWarningRoutes: Route[] = [
  route(
    'GET',
    BASE,
    parameters({ ...paging, created, charge: optional(text), payment_intent: optional(text) }),
    (work, { charge, payment_intent, ...page }) =>
      pageOfObjects(work, 'radar.early_fraud_warning', { charge, payment_intent }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const warning = await findOwn(work, 'radar.early_fraud_warning', id);
    if (!warning) throw noSuch('radar.early_fraud_warning', id);
    return warning.body;
  }),
];
