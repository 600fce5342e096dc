/** /v1/checkout/sessions */

import { expireSession, lockSession } from '#sandbox/payments/checkout-sessions.ts';
import { saveObject } from '../../objects.ts';
import type { OperationContext } from '../../operation-context.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { created, listObjects, paging } from '../list.ts';
import { createSession, sessionParameters } from '../new-checkout-session.ts';
import { metadataUpdate, object, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/checkout/sessions';

async function requireSession(ctx: OperationContext, id: string) {
  const session = ctx.account === null ? await lockSession(ctx, id) : null;
  if (!session) throw resourceMissing('checkout.session', id);
  return session;
}

export const checkoutSessionRoutes: Route[] = [
  route('POST', BASE, sessionParameters, createSession),

  route(
    'GET',
    BASE,
    parameters({
      ...paging,
      created,
      status: optional(text),
      payment_intent: optional(text),
      customer_details: optional(object({ email: text })),
    }),
    async (ctx, { status, payment_intent, customer_details, ...page }) => {
      const email = customer_details?.email;
      return await listObjects(
        ctx,
        'checkout.session',
        { status, payment_intent, 'customer_details.email': email },
        page,
        BASE,
      );
    },
  ),

  route(
    'GET',
    `${BASE}/:id`,
    parameters({}),
    async (ctx, _params, { id = '' }) => (await requireSession(ctx, id)).body,
  ),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataUpdate }), async (ctx, params, { id = '' }) => {
    const session = await requireSession(ctx, id);
    session.body.metadata = params.metadata(session.body.metadata);
    await saveObject(ctx, session);
    return session.body;
  }),

  route('POST', `${BASE}/:id/expire`, parameters({}), async (ctx, _params, { id = '' }) => {
    const session = await requireSession(ctx, id);
    if (session.body.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.body.status}\`.`,
      );
    }
    await expireSession(ctx, session);
    return session.body;
  }),

  route('GET', `${BASE}/:id/line_items`, parameters(paging), async (ctx, { limit, starting_after }, { id = '' }) => {
    const { lines } = (await requireSession(ctx, id)).inside;
    const first = starting_after === undefined ? 0 : lines.findIndex((line) => line.id === starting_after) + 1;
    if (first === 0 && starting_after !== undefined)
      throw resourceMissing('item', starting_after, 'starting_after', 400);
    const data = lines.slice(first, first + limit);
    return { object: 'list', data, has_more: first + limit < lines.length, url: `${BASE}/${id}/line_items` };
  }),
];
