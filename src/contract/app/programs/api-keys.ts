/** Keys with which programs act for the organization. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { KEY_NAME_MAX, keyDays, scopes } from '#domain/accounts/api-keys.ts';
import { ONLY_EVENTS_MAX } from '#domain/accounts/team.ts';

const onlyEventIds = z.nullable(z.array(z.string()).check(z.minLength(1), z.maxLength(ONLY_EVENTS_MAX)));

const apiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** Null: all events, also future ones. */
  onlyEventIds,
  createdAt: z.string(),
  /** Address of the member who made it. */
  createdBy: z.string(),
  lastUsedAt: z.nullable(z.string()),
  expiresAt: z.string(),
  state: z.enum(['live', 'revoked', 'expired']),
});

export type ApiKey = z.infer<typeof apiKey>;

export const apiKeys = endpoint({
  method: 'GET',
  path: '/api/protected/api-keys',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    /** Newest first. */
    keys: z.array(apiKey),
    /** What a key can be given, newest first. */
    events: z.array(z.object({ eventId: z.string(), title: z.string() })),
  }),
});

export const apiKeyForm = z.object({
  name: z
    .string()
    .check(
      oneLine(),
      z.minLength(1, because('key-name.missing')),
      z.maxLength(KEY_NAME_MAX, because('key-name.too-long')),
    ),
  scopes: z.array(z.enum(scopes)).check(z.minLength(1, because('key-scopes.missing'))),
  onlyEventIds,
  /** How long it lasts. */
  days: z.literal([...keyDays]),
});

/** The reply is the only place where the key is ever shown. */
export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/protected/api-keys',
  access: 'organizer',
  input: apiKeyForm,
  reply: z.object({ keyId: z.string(), key: z.string() }),
});

export const revokeApiKey = endpoint({
  method: 'POST',
  path: '/api/protected/api-keys/:keyId/revoke',
  access: 'organizer',
  input: z.object({ keyId: z.uuid() }),
  reply: messageReply,
});
