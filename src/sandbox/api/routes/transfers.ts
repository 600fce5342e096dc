/** /v1/transfers and their reversals */

import { tell } from '../../events.ts';
import { findOwn, lockObject, saveObject } from '../../objects.ts';
import { reverseTransfer, transfer } from '../../transfers.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { atLeast, choice, metadata, metadataChange, optional, parameters, text, usd } from '../parameters.ts';
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
      source_type: optional(choice('card')),
      metadata,
    }),
    (work, given) =>
      transfer(work, {
        amount: given.amount,
        destination: given.destination,
        description: given.description ?? null,
        transferGroup: given.transfer_group ?? null,
        sourceTransaction: given.source_transaction ?? null,
        metadata: given.metadata,
      }),
  ),

  route(
    'GET',
    BASE,
    parameters({ ...paging, created, destination: optional(text), transfer_group: optional(text) }),
    (work, { destination, transfer_group, ...page }) =>
      pageOfObjects(work, 'transfer', { destination, transfer_group }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findOwn(work, 'transfer', id);
    if (!found) throw noSuch('transfer', id);
    return found.body;
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({ metadata: metadataChange, description: optional(text) }),
    async (work, given, { id = '' }) => {
      const found = await lockObject(work, 'transfer', id);
      if (!found) throw noSuch('transfer', id);
      found.body.metadata = given.metadata(found.body.metadata);
      found.body.description = given.description ?? found.body.description;
      await saveObject(work, found);
      await tell(work, 'transfer.updated', found.body);
      return found.body;
    },
  ),

  route(
    'POST',
    `${BASE}/:id/reversals`,
    parameters({ amount: optional(atLeast(1)), description: optional(text), metadata }),
    async (work, given, { id = '' }) => {
      const found = await lockObject(work, 'transfer', id);
      if (!found) throw noSuch('transfer', id);
      const { amount, description = null, metadata: kept } = given;
      return await reverseTransfer(work, found, { amount, description, metadata: kept });
    },
  ),

  route('GET', `${BASE}/:id/reversals`, parameters(paging), async (work, given, { id = '' }) => {
    if (!(await findOwn(work, 'transfer', id))) throw noSuch('transfer', id);
    return await pageOfObjects(work, 'transfer_reversal', { transfer: id }, given, `${BASE}/${id}/reversals`);
  }),

  route(
    'POST',
    `${BASE}/:id/reversals/:reversal`,
    parameters({ metadata: metadataChange }),
    async (work, given, { id = '', reversal = '' }) => {
      const found = await lockObject(work, 'transfer_reversal', reversal);
      if (found?.body.transfer !== id) throw noSuch('transfer_reversal', reversal);
      found.body.metadata = given.metadata(found.body.metadata);
      await saveObject(work, found);
      return found.body;
    },
  ),

  route('GET', `${BASE}/:id/reversals/:reversal`, parameters({}), async (work, _given, { id = '', reversal = '' }) => {
    const found = await findOwn(work, 'transfer_reversal', reversal);
    if (found?.body.transfer !== id) throw noSuch('transfer_reversal', reversal);
    return found.body;
  }),
];
