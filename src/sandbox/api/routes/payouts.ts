/** /v1/payouts, for the platform or the account in Stripe-Account. The scheduler creates automatic payouts. */

import { createManualPayout } from '#sandbox/money/payouts.ts';
import { findOwnObject, lockObject, saveObject } from '../../objects.ts';
import { resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { atLeast, metadata, metadataUpdate, oneOf, optional, parameters, text, usd } from '../parameters.ts';
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
      method: optional(oneOf('standard')),
      source_type: optional(oneOf('card')),
      statement_descriptor: optional(text),
    }),
    (ctx, { amount, description = null, statement_descriptor: statementDescriptor = null, metadata: values }) =>
      createManualPayout(ctx, { amount, automatic: false, description, statementDescriptor, metadata: values }),
  ),

  route('GET', BASE, parameters({ ...paging, created, status: optional(text) }), (ctx, { status, ...page }) =>
    listObjects(ctx, 'payout', { status }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const payout = await findOwnObject(ctx, 'payout', id);
    if (!payout) throw resourceMissing('payout', id);
    return payout.body;
  }),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataUpdate }), async (ctx, params, { id = '' }) => {
    const payout = (await findOwnObject(ctx, 'payout', id)) && (await lockObject(ctx, 'payout', id));
    if (!payout) throw resourceMissing('payout', id);
    payout.body.metadata = params.metadata(payout.body.metadata);
    await saveObject(ctx, payout);
    return payout.body;
  }),
];
