/** /v1/payouts: read only; the sandbox pays connected accounts out by itself. */

import { findObject } from '../../objects.ts';
import { noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/payouts';

export const payoutRoutes: Route[] = [
  route('GET', BASE, parameters({ ...paging, created, status: optional(text) }), (work, { status, ...page }) =>
    pageOfObjects(work, 'payout', { status }, page, BASE),
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const payout = await findObject(work, 'payout', id);
    if (!payout) throw noSuch('payout', id);
    return payout.body;
  }),
];
