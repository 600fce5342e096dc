/** /v1/transfers and their reversals */

import { createTransfer, reverseTransfer } from '#sandbox/money/transfers.ts';
import { emitEvent } from '#sandbox/webhooks/events.ts';
import { findOwnObject, lockObject, saveObject } from '../../objects.ts';
import { resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { atLeast, metadata, metadataUpdate, oneOf, optional, parameters, text, usd } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/transfers';

export const transferRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({
      amount: atLeast(1),
      currency: usd,
      destination: text,
      description: optional(text),
      transfer_group: optional(text),
      source_transaction: optional(text),
      source_type: optional(oneOf('card')),
      metadata,
    }),
    (ctx, params) =>
      createTransfer(ctx, {
        amount: params.amount,
        destination: params.destination,
        description: params.description ?? null,
        transferGroup: params.transfer_group ?? null,
        sourceTransaction: params.source_transaction ?? null,
        metadata: params.metadata,
      }),
  ),

  route(
    'GET',
    BASE,
    parameters({ ...paging, created, destination: optional(text), transfer_group: optional(text) }),
    (ctx, { destination, transfer_group, ...page }) =>
      listObjects(ctx, 'transfer', { destination, transfer_group }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const found = await findOwnObject(ctx, 'transfer', id);
    if (!found) throw resourceMissing('transfer', id);
    return found.body;
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({ metadata: metadataUpdate, description: optional(text) }),
    async (ctx, params, { id = '' }) => {
      const found = await lockObject(ctx, 'transfer', id);
      if (!found) throw resourceMissing('transfer', id);
      found.body.metadata = params.metadata(found.body.metadata);
      found.body.description = params.description ?? found.body.description;
      await saveObject(ctx, found);
      await emitEvent(ctx, 'transfer.updated', found.body);
      return found.body;
    },
  ),

  route(
    'POST',
    `${BASE}/:id/reversals`,
    parameters({ amount: optional(atLeast(1)), description: optional(text), metadata }),
    async (ctx, params, { id = '' }) => {
      const found = await lockObject(ctx, 'transfer', id);
      if (!found) throw resourceMissing('transfer', id);
      const { amount, description = null, metadata: values } = params;
      return await reverseTransfer(ctx, found, { amount, description, metadata: values });
    },
  ),

  route('GET', `${BASE}/:id/reversals`, parameters(paging), async (ctx, params, { id = '' }) => {
    if (!(await findOwnObject(ctx, 'transfer', id))) throw resourceMissing('transfer', id);
    return await listObjects(ctx, 'transfer_reversal', { transfer: id }, params, `${BASE}/${id}/reversals`);
  }),

  route(
    'POST',
    `${BASE}/:id/reversals/:reversal`,
    parameters({ metadata: metadataUpdate }),
    async (ctx, params, { id = '', reversal = '' }) => {
      const found = await lockObject(ctx, 'transfer_reversal', reversal);
      if (found?.body.transfer !== id) throw resourceMissing('transfer_reversal', reversal);
      found.body.metadata = params.metadata(found.body.metadata);
      await saveObject(ctx, found);
      return found.body;
    },
  ),

  route('GET', `${BASE}/:id/reversals/:reversal`, parameters({}), async (ctx, _params, { id = '', reversal = '' }) => {
    const found = await findOwnObject(ctx, 'transfer_reversal', reversal);
    if (found?.body.transfer !== id) throw resourceMissing('transfer_reversal', reversal);
    return found.body;
  }),
];
