/** What a buyer is told whose tickets are held and whose payment page is still to come. */
import type { PaymentPage } from '#contract/checkout.ts';
import { PATIENCE_MINUTES } from '#domain/hold-times.ts';
import type { Deps } from '#server/deps.ts';
import { type Held, sealHandle } from './held-handle.ts';
import { paymentLineOf } from './payment-line.ts';

export type WaitingDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'publicUrl' | 'pagesPerSecond'>;

const LONGEST_PAUSE_SECONDS = 10;

export async function waitingReply(deps: WaitingDeps, { eventId, orderId, place }: Held): Promise<PaymentPage> {
  const before = await paymentLineOf(deps.db).countBefore(place);
  const aboutSeconds = Math.ceil((before + 1) / (deps.pagesPerSecond ?? Number.POSITIVE_INFINITY));
  const handle = sealHandle(deps, { eventId, orderId, place });
  return {
    id: handle,
    // For whoever only follows the address: the event's page takes the handle from there.
    url: `${deps.publicUrl}/payment/${eventId}#held=${handle}`,
    held: {
      handle,
      before,
      aboutSeconds,
      keptUntil: new Date(deps.clock.now().getTime() + PATIENCE_MINUTES * 60_000).toISOString(),
      askInSeconds: Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, Math.ceil(aboutSeconds / 4))),
    },
  };
}
