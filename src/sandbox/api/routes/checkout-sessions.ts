/** /v1/checkout/sessions */

import { expireSession, lockSession } from '../../checkout-sessions.ts';
import { saveObject } from '../../objects.ts';
import type { Work } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { created, pageOfObjects, paging } from '../list.ts';
import { newSession, sessionParameters } from '../new-checkout-session.ts';
import { metadataChange, object, optional, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/checkout/sessions';

async function sessionNamed(work: Work, id: string) {
  const session = work.account === null ? await lockSession(work, id) : null;
  if (!session) throw noSuch('checkout.session', id);
  return session;
}

export const checkoutSessionRoutes: Route[] = [
  route('POST', BASE, sessionParameters, newSession),

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
    async (work, { status, payment_intent, customer_details, ...page }) => {
      const email = customer_details?.email;
      return await pageOfObjects(
        work,
        'checkout.session',
        { status, payment_intent, 'customer_details.email': email },
        page,
        BASE,
      );
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => (await sessionNamed(work, id)).body),

  route('POST', `${BASE}/:id`, parameters({ metadata: metadataChange }), async (work, given, { id = '' }) => {
    const session = await sessionNamed(work, id);
    session.body.metadata = given.metadata(session.body.metadata);
    await saveObject(work, session);
    return session.body;
  }),

  route('POST', `${BASE}/:id/expire`, parameters({}), async (work, _given, { id = '' }) => {
    const session = await sessionNamed(work, id);
    if (session.body.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.body.status}\`.`,
      );
    }
    await expireSession(work, session);
    return session.body;
  }),

  route('GET', `${BASE}/:id/line_items`, parameters(paging), async (work, { limit, starting_after }, { id = '' }) => {
    const { lines } = (await sessionNamed(work, id)).inside;
    const first = starting_after === undefined ? 0 : lines.findIndex((line) => line.id === starting_after) + 1;
    if (first === 0 && starting_after !== undefined) throw noSuch('item', starting_after, 'starting_after', 400);
    const data = lines.slice(first, first + limit);
    return { object: 'list', data, has_more: first + limit < lines.length, url: `${BASE}/${id}/line_items` };
  }),
];
