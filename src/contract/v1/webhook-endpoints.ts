import * as z from 'zod/mini';
import { oneLine } from '#contract/forms/typed-text.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { webhookTypes } from '#domain/accounts/webhooks.ts';
import { WEBHOOK_URL_MAX } from '#domain/limits.ts';
import { instant, resource, v1Call } from './v1-call.ts';

const types = z.array(z.enum(webhookTypes)).check(z.minLength(1), z.describe('What it receives.'));
const eventIds = z
  .nullable(z.array(z.string()).check(z.minLength(1), z.maxLength(ONLY_EVENTS_MAX)))
  .check(z.describe('Null: all events, also future ones.'));

const fields = {
  id: z.string(),
  url: z.string(),
  types,
  event_ids: eventIds,
  state: z
    .enum(['live', 'failing', 'ended'])
    .check(z.describe('`failing`: the last delivery failed. `ended`: it receives nothing anymore.')),
  failing_since: z.nullable(instant()),
  created_at: instant(),
  ended_at: z.nullable(instant()),
};

const endpoint = resource('WebhookEndpoint', z.object(fields));

const secret = z.string().check(z.describe('Verifies its deliveries. Shown only now.'));
const withSecret = resource('WebhookEndpointWithSecret', z.object({ ...fields, secret }));

export const listWebhookEndpoints = v1Call({
  method: 'GET',
  path: '/api/v1/webhook_endpoints',
  name: 'listWebhookEndpoints',
  summary: 'All webhook endpoints, newest first',
  scope: 'webhooks:write',
  input: z.strictObject({}),
  reply: resource('WebhookEndpointList', z.object({ data: z.array(endpoint) })),
  errors: [],
});

export const createWebhookEndpoint = v1Call({
  method: 'POST',
  path: '/api/v1/webhook_endpoints',
  name: 'createWebhookEndpoint',
  summary: 'Adds an address that is called when something happens. Types about orders need `orders:read` too',
  scope: 'webhooks:write',
  input: z.strictObject({
    url: z
      .string()
      .check(oneLine(), z.minLength(1), z.maxLength(WEBHOOK_URL_MAX))
      .check(z.describe('https, on port 443 or 8443.')),
    types,
    event_ids: z._default(eventIds, null),
  }),
  reply: withSecret,
  errors: ['auth.role-denied', 'team.unknown-event', 'webhook.too-many', 'webhook.url-refused'],
  example: { url: '$WEBHOOK_URL', types: ['event.published'] },
});

export const updateWebhookEndpoint = v1Call({
  method: 'PATCH',
  path: '/api/v1/webhook_endpoints/:endpoint_id',
  name: 'updateWebhookEndpoint',
  summary: 'Changes what an endpoint receives',
  scope: 'webhooks:write',
  input: z.strictObject({ endpoint_id: z.string(), types: z.optional(types), event_ids: z.optional(eventIds) }),
  reply: endpoint,
  errors: ['auth.role-denied', 'team.unknown-event', 'webhook.unknown'],
  example: { types: ['event.published', 'event.cancelled'] },
});

export const endWebhookEndpoint = v1Call({
  method: 'DELETE',
  path: '/api/v1/webhook_endpoints/:endpoint_id',
  name: 'endWebhookEndpoint',
  summary: 'Ends an endpoint. What waits for it is not sent',
  scope: 'webhooks:write',
  input: z.strictObject({ endpoint_id: z.string() }),
  reply: endpoint,
  errors: ['webhook.unknown'],
});
