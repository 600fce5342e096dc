/** Creates the webhook endpoints from the configuration at start, and keeps them in sync with it. */

import { type Core, contextFor } from '#sandbox/core.ts';
import { inTransaction } from '#sandbox/database.ts';
import { findObject, insertObject, lockObject, saveObject } from '#sandbox/objects.ts';
import { type OperationContext, rfc3339, timestamp } from '#sandbox/operation-context.ts';
import type { EventDestination, WebhookEndpoint } from '#sandbox/shapes/webhook-endpoint.ts';
import { API_VERSION } from './events.ts';

const ENDPOINT_ID = 'we_1SandboxConfiguredAtStart';
const DESTINATION_ID = 'ed_test_SandboxConfiguredAtStart';

/** Thin events about connected accounts. */
const ACCOUNT_EVENTS = [
  'v2.core.account.created',
  'v2.core.account.updated',
  'v2.core.account.closed',
  'v2.core.account[identity].updated',
  'v2.core.account[requirements].updated',
  'v2.core.account[configuration.recipient].capability_status_updated',
];

interface Endpoint {
  url: string;
  secret: string;
}

export async function configureEndpoints(core: Core, webhook: Endpoint, accounts: Endpoint | null): Promise<void> {
  await inTransaction(core.pool, async (tx) => {
    const ctx = contextFor(core, tx);
    // Two processes can start at the same time.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', ['sandbox configured endpoints']);
    await configureWebhookEndpoint(ctx, webhook);
    if (accounts) await configureEventDestination(ctx, accounts);
    else await tx.query('delete from sandbox.objects where id = $1', [DESTINATION_ID]);
  });
}

async function configureWebhookEndpoint(ctx: OperationContext, { url, secret }: Endpoint): Promise<void> {
  const existing = await lockObject(ctx, 'webhook_endpoint', ENDPOINT_ID);
  if (existing) return await saveObject(ctx, { body: { ...existing.body, url }, inside: { secret } });
  const body: WebhookEndpoint = {
    id: ENDPOINT_ID,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: timestamp(ctx),
    description: 'From the configuration',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
  await insertObject<'webhook_endpoint'>(ctx, body, { secret });
}

async function configureEventDestination(ctx: OperationContext, { url, secret }: Endpoint): Promise<void> {
  const existing = await findObject(ctx, 'v2.core.event_destination', DESTINATION_ID);
  const body: EventDestination = {
    id: DESTINATION_ID,
    object: 'v2.core.event_destination',
    created: existing?.body.created ?? rfc3339(ctx.now),
    description: 'From the configuration',
    enabled_events: ACCOUNT_EVENTS,
    event_payload: 'thin',
    livemode: false,
    name: 'Connected accounts',
    status: 'enabled',
    type: 'webhook_endpoint',
    updated: rfc3339(ctx.now),
    webhook_endpoint: { url },
  };
  if (existing) await saveObject(ctx, { body, inside: { secret } });
  else await insertObject<'v2.core.event_destination'>(ctx, body, { secret });
}
