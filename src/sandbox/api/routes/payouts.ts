/** /v1/payouts, of the platform or of the account in Stripe-Account. Most payouts happen by themselves. */

import { findOwn, lockObject, saveObject } from '../../objects.ts';
import { payOutNow } from '../../payouts.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { atLeast, choice, metadata, metadataChange, optional, parameters, text, usd } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/payouts';

export const payoutRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({
      amount: atLeast(1),
      currency: usd,
      description: optional(text),
      metadata,
      method: optional(choice('standard')),
      source_type: optional(choice('card')),
      statement_descriptor: optional(text),
    }),
    (work, { amount, description = null, statement_descriptor: statementDescriptor = null, metadata: kept }) =>
      payOutNow(work, { amount, automatic: false, description, statementDescriptor, metadata: kept }),
  ),

  route('GET', BASE, parameters({ ...paging, created, status: optional(text) }), (work, { status, ...page }) =>
    pageOfObjects(work, 'payout', { status }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const payout = await findOwn(work, 'payout', id);
    if (!payout) throw noSuch('payout', id);
    return payout.body;
  }),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataChange }), async (work, given, { id = '' }) => {
    const payout = (await findOwn(work, 'payout', id)) && (await lockObject(work, 'payout', id));
    if (!payout) throw noSuch('payout', id);
    payout.body.metadata = given.metadata(payout.body.metadata);
    await saveObject(work, payout);
    return payout.body;
  }),
];
