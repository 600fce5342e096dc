/** The endpoints that the configuration names. They stand from the start, and follow the configuration. */

import { type Core, workFor } from './core.ts';
import { inTransaction } from './database.ts';
import { API_VERSION } from './events.ts';
import { findObject, insertObject, lockObject, saveObject } from './objects.ts';
import type { EventDestination, WebhookEndpoint } from './shapes/webhook-endpoint.ts';
import { rfc3339, stamp, type Work } from './operation-context.ts';

const ENDPOINT_ID = 'we_1SandboxConfiguredAtStart';
const DESTINATION_ID = 'ed_test_SandboxConfiguredAtStart';

/** What changes about a connected account, as thin events. */
const ACCOUNT_EVENTS = [
  'v2.core.account.created',
  'v2.core.account.updated',
  'v2.core.account.closed',
  'v2.core.account[identity].updated',
  'v2.core.account[requirements].updated',
  'v2.core.account[configuration.recipient].capability_status_updated',
];

interface Receiver {
  url: string;
  secret: string;
}

export async function configureEndpoints(core: Core, webhook: Receiver, accounts: Receiver | null): Promise<void> {
  await inTransaction(core.pool, async (tx) => {
    const work = workFor(core, tx);
    // Two processes may start at once.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', ['sandbox configured endpoints']);
    await configureWebhook(work, webhook);
    if (accounts) await configureDestination(work, accounts);
    else await tx.query('delete from sandbox.objects where id = $1', [DESTINATION_ID]);
  });
}

async function configureWebhook(work: Work, { url, secret }: Receiver): Promise<void> {
  const known = await lockObject(work, 'webhook_endpoint', ENDPOINT_ID);
  if (known) return await saveObject(work, { body: { ...known.body, url }, inside: { secret } });
  const body: WebhookEndpoint = {
    id: ENDPOINT_ID,
    object: 'webhook_endpoint',
    api_version: API_VERSION,
    application: null,
    created: stamp(work),
    description: 'From the configuration',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  };
  await insertObject<'webhook_endpoint'>(work, body, { secret });
}

async function configureDestination(work: Work, { url, secret }: Receiver): Promise<void> {
  const known = await findObject(work, 'v2.core.event_destination', DESTINATION_ID);
  const body: EventDestination = {
    id: DESTINATION_ID,
    object: 'v2.core.event_destination',
    created: known?.body.created ?? rfc3339(work.now),
    description: 'From the configuration',
    enabled_events: ACCOUNT_EVENTS,
    event_payload: 'thin',
    livemode: false,
    name: 'Connected accounts',
    status: 'enabled',
    type: 'webhook_endpoint',
    updated: rfc3339(work.now),
    webhook_endpoint: { url },
  };
  if (known) await saveObject(work, { body, inside: { secret } });
  else await insertObject<'v2.core.event_destination'>(work, body, { secret });
}
