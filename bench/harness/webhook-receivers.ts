/** Programs of an organizer that webhooks call: one answers at once, one after seconds. */
import { setTimeout } from 'node:timers/promises';
import { createEndpoint, endOwnEndpoint } from '#server/backoffice/webhooks/manage-endpoints.ts';
import { httpsWebhookSender } from '#server/platform/adapters/webhooks/https-webhook-sender.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import { startReceiver } from '#tests/support/webhook-receiver.ts';
import type { Shop } from './shop.ts';

const SLOW_ANSWER_MS = 4_000;
const TIMEOUT_MS = 60_000;

export interface WebhookReceivers {
  /** Resolves once the quick one has been called about each of that many orders; to a message if that takes too long. */
  untilCalled(orders: number): Promise<string | null>;
  close(): Promise<void>;
}

/** Both are called about every paid order. */
export async function openReceivers({ deps }: Shop, organizer: Actor): Promise<WebhookReceivers> {
  const quick = await startReceiver();
  const slow = await startReceiver();
  slow.delayAnswers(SLOW_ANSWER_MS);
  const webhooks = httpsWebhookSender({ allowsLoopback: true });
  const endpoints = await Promise.all(
    [quick, slow].map(({ url }) =>
      createEndpoint(
        { ...deps, webhooks },
        organizer,
        { url, types: ['order.paid'], onlyEventIds: null },
        async (_tx, created) => created,
      ),
    ),
  );
  return {
    async untilCalled(orders) {
      const deadline = performance.now() + TIMEOUT_MS;
      for (;;) {
        const called = new Set(quick.received.map(({ data }) => data['id'])).size;
        if (called === orders) return null;
        if (performance.now() > deadline) return `${called} of ${orders} paid orders reached the quick receiver`;
        await setTimeout(50);
      }
    },
    async close() {
      // So that they cost the next run nothing.
      for (const { endpointId } of endpoints) await endOwnEndpoint(deps, organizer, endpointId);
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}
