/** /v1/webhook_endpoints: more receivers beside the one from the configuration. */

import { newId, randomText } from '../../ids.ts';
import { findObject, insertObject, lockObject, saveObject } from '../../objects.ts';
import type { WebhookEndpoint } from '../../shapes/webhook-endpoint.ts';
import { stamp } from '../../operation-context.ts';
import { noSuch } from '../errors.ts';
import { pageOfObjects, paging } from '../list.ts';
import { flag, list, metadata, metadataChange, optional, parameters, text, url } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/webhook_endpoints';

export const webhookEndpointRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({
      url,
      enabled_events: list(text),
      api_version: optional(text),
      connect: optional(flag),
      description: optional(text),
      metadata,
    }),
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
      await insertObject<'webhook_endpoint'>(work, body, { secret, hears: given.connect ? 'connect' : 'platform' });
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

  route(
    'POST',
    `${BASE}/:id`,
    parameters({
      url: optional(url),
      enabled_events: optional(list(text)),
      description: optional(text),
      disabled: optional(flag),
      metadata: metadataChange,
    }),
    async (work, given, { id = '' }) => {
      const found = await lockObject(work, 'webhook_endpoint', id);
      if (!found) throw noSuch('webhook endpoint', id);
      const { body } = found;
      body.url = given.url ?? body.url;
      body.enabled_events = given.enabled_events ?? body.enabled_events;
      body.description = given.description ?? body.description;
      body.metadata = given.metadata(body.metadata);
      if (given.disabled !== undefined) body.status = given.disabled ? 'disabled' : 'enabled';
      await saveObject(work, found);
      return body;
    },
  ),

  route('DELETE', `${BASE}/:id`, parameters({}), async (work, _given, { id = '' }) => {
    const found = await findObject(work, 'webhook_endpoint', id);
    if (!found) throw noSuch('webhook endpoint', id);
    await work.tx.query('delete from sandbox.objects where id = $1', [id]);
    await work.tx.query('update sandbox.deliveries set next_attempt_at = null where endpoint_id = $1', [id]);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];
