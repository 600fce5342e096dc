/** /v1/webhook_endpoints: endpoints in addition to the configured one. */

import { newId, randomText } from '../../ids.ts';
import { findObject, insertObject, lockObject, saveObject } from '../../objects.ts';
import { timestamp } from '../../operation-context.ts';
import type { WebhookEndpoint } from '../../shapes/webhook-endpoint.ts';
import { resourceMissing } from '../errors.ts';
import { listObjects, paging } from '../list.ts';
import { boolean, list, metadata, metadataUpdate, optional, parameters, text, url } from '../parameters.ts';
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
      connect: optional(boolean),
      description: optional(text),
      metadata,
    }),
    async (ctx, params) => {
      const secret = `whsec_${randomText(32)}`;
      const body: WebhookEndpoint = {
        id: newId('we'),
        object: 'webhook_endpoint',
        api_version: params.api_version ?? null,
        application: null,
        created: timestamp(ctx),
        description: params.description ?? null,
        enabled_events: params.enabled_events,
        livemode: false,
        metadata: params.metadata,
        status: 'enabled',
        url: params.url,
      };
      await insertObject<'webhook_endpoint'>(ctx, body, { secret, hears: params.connect ? 'connect' : 'platform' });
      // Only this response contains the secret.
      return { ...body, secret };
    },
  ),

  route('GET', BASE, parameters(paging), (ctx, params) => listObjects(ctx, 'webhook_endpoint', {}, params, BASE)),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const found = await findObject(ctx, 'webhook_endpoint', id);
    if (!found) throw resourceMissing('webhook endpoint', id);
    return found.body;
  }),

  route(
    'POST',
    `${BASE}/:id`,
    parameters({
      url: optional(url),
      enabled_events: optional(list(text)),
      description: optional(text),
      disabled: optional(boolean),
      metadata: metadataUpdate,
    }),
    async (ctx, params, { id = '' }) => {
      const found = await lockObject(ctx, 'webhook_endpoint', id);
      if (!found) throw resourceMissing('webhook endpoint', id);
      const { body } = found;
      body.url = params.url ?? body.url;
      body.enabled_events = params.enabled_events ?? body.enabled_events;
      body.description = params.description ?? body.description;
      body.metadata = params.metadata(body.metadata);
      if (params.disabled !== undefined) body.status = params.disabled ? 'disabled' : 'enabled';
      await saveObject(ctx, found);
      return body;
    },
  ),

  route('DELETE', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const found = await findObject(ctx, 'webhook_endpoint', id);
    if (!found) throw resourceMissing('webhook endpoint', id);
    await ctx.tx.query('delete from sandbox.objects where id = $1', [id]);
    await ctx.tx.query('update sandbox.deliveries set next_attempt_at = null where endpoint_id = $1', [id]);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];
