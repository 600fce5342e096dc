/** The webhook endpoint that the configuration names. It stands from the start, and follows the configuration. */

import { type Core, workFor } from './core.ts';
import { inTransaction } from './database.ts';
import { API_VERSION } from './events.ts';
import { findObject, insertObject, saveObject } from './objects.ts';
import type { WebhookEndpoint } from './shapes/webhook-endpoint.ts';
import { stamp } from './work.ts';

const ID = 'we_1SandboxConfiguredAtStart';

export async function configureEndpoint(core: Core, { url, secret }: { url: string; secret: string }): Promise<void> {
  await inTransaction(core.pool, async (tx) => {
    const work = workFor(core, tx);
    const known = await findObject(work, 'webhook_endpoint', ID);
    if (known) return await saveObject(work, { body: { ...known.body, url }, inside: { secret } });
    const body: WebhookEndpoint = {
      id: ID,
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
  });
}
