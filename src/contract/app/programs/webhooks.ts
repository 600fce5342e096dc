/** Addresses that are called when something happens. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';
import { TEST_TYPE, webhookTypes } from '#domain/accounts/webhooks.ts';
import { WEBHOOK_URL_MAX } from '#domain/limits.ts';

const onlyEventIds = z.nullable(z.array(z.string()).check(z.minLength(1), z.maxLength(ONLY_EVENTS_MAX)));

const webhookEndpoint = z.object({
  endpointId: z.string(),
  url: z.string(),
  types: z.array(z.enum(webhookTypes)),
  /** Null: all events, also future ones. */
  onlyEventIds,
  createdAt: z.string(),
  /** Address of the member who made it, or whose key did. */
  createdBy: z.string(),
  state: z.enum(['live', 'failing', 'ended']),
  /** The first failure since the last success. */
  failingSince: z.nullable(z.string()),
  endReason: z.nullable(z.enum(['member', 'gone', 'failing'])),
  /** The last answer with success. */
  deliveredAt: z.nullable(z.string()),
  waiting: z.int(),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

export const webhookEndpoints = endpoint({
  method: 'GET',
  path: '/api/protected/webhook-endpoints',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    /** Newest first. */
    endpoints: z.array(webhookEndpoint),
    /** What an endpoint can be limited to, newest first. */
    events: z.array(z.object({ eventId: z.string(), title: z.string() })),
  }),
});

export const webhookForm = z.object({
  url: z
    .string()
    .check(
      oneLine(),
      z.minLength(1, because('webhook-url.missing')),
      z.maxLength(WEBHOOK_URL_MAX, because('webhook-url.too-long')),
    ),
  types: z.array(z.enum(webhookTypes)).check(z.minLength(1, because('webhook-types.missing'))),
  onlyEventIds,
});

const secret = z.string();

/** The reply is the only place where the secret is ever shown. */
export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints',
  access: 'organizer',
  input: webhookForm,
  reply: z.object({ endpointId: z.string(), secret }),
});

const named = z.object({ endpointId: z.uuid() });

/** What it receives. Its address stays, since its log and its secret belong to it. */
export const editWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints/:endpointId',
  access: 'organizer',
  input: z.object({ endpointId: z.uuid(), types: webhookForm.shape.types, onlyEventIds }),
  reply: messageReply,
});

/** The one before signs as well for a day. */
export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints/:endpointId/rotate-secret',
  access: 'organizer',
  input: named,
  reply: z.object({ secret }),
});

export const testWebhook = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints/:endpointId/test',
  access: 'organizer',
  input: named,
  reply: messageReply,
});

export const endWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints/:endpointId/end',
  access: 'organizer',
  input: named,
  reply: messageReply,
});

const delivery = z.object({
  deliveryId: z.string(),
  type: z.enum([...webhookTypes, TEST_TYPE]),
  objectId: z.string(),
  occurredAt: z.string(),
  state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
  attempts: z.int(),
  /** Of the last attempt. */
  attemptedAt: z.nullable(z.string()),
  answerStatus: z.nullable(z.int()),
  problem: z.nullable(z.enum(['refused', 'unreachable', 'silent'])),
  answerMs: z.nullable(z.int()),
  /** When it is tried again. */
  nextAt: z.nullable(z.string()),
});

export type WebhookDelivery = z.infer<typeof delivery>;

export const webhookDeliveries = endpoint({
  method: 'GET',
  path: '/api/protected/webhook-endpoints/:endpointId/deliveries',
  access: 'organizer',
  input: z.object({ endpointId: z.uuid(), after: z.optional(z.uuid()) }),
  reply: z.object({
    endpoint: webhookEndpoint,
    /** Newest first. */
    deliveries: z.array(delivery),
    /** For the next page. */
    next: z.nullable(z.string()),
  }),
});

export const sendWebhookAgain = endpoint({
  method: 'POST',
  path: '/api/protected/webhook-endpoints/:endpointId/deliveries/:deliveryId/send-again',
  access: 'organizer',
  input: z.object({ endpointId: z.uuid(), deliveryId: z.uuid() }),
  reply: messageReply,
});
