/** /v1/webhook_endpoints: more receivers beside the one from the configuration. */

import { newId, randomText } from '../../ids.ts';
import { findObject, insertObject } from '../../objects.ts';
import type { WebhookEndpoint } from '../../shapes/webhook-endpoint.ts';
import { stamp } from '../../work.ts';
import { noSuch } from '../errors.ts';
import { pageOfObjects, paging } from '../list.ts';
import { list, metadata, optional, parameters, text, url } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/webhook_endpoints';

export const webhookEndpointRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({ url, enabled_events: list(text), api_version: optional(text), description: optional(text), metadata }),
    async (work, given) => {
      const secret = `whsec_${randomText(32)}`;
      const body: WebhookEndpoint = {
        id: newId('we'),
        object: 'webhook_endpoint',
        api_version: given.api_version ?? null,
        application: null,
        created: stamp(work),
        description: given.description ?? null,
        enabled_events: given.enabled_events,
        livemode: false,
        metadata: given.metadata,
        status: 'enabled',
        url: given.url,
      };
      await insertObject<'webhook_endpoint'>(work, body, { secret });
      // Shown here, and never again.
      return { ...body, secret };
    },
  ),

  route('GET', BASE, parameters(paging), (work, given) => pageOfObjects(work, 'webhook_endpoint', {}, given, BASE)),

  route('GET', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findObject(work, 'webhook_endpoint', id);
    if (!found) throw noSuch('webhook endpoint', id);
    return found.body;
  }),

  route('DELETE', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findObject(work, 'webhook_endpoint', id);
    if (!found) throw noSuch('webhook endpoint', id);
    await work.tx.query('delete from sandbox.objects where id = $1', [id]);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];
