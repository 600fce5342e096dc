/** Signed token that identifies a queued order and its position. */
import type { PaymentPage } from '#contract/app/checkout.ts';
import type { OrderRef } from '#domain/order.ts';
import { WAITING_BUYER_MINUTES } from '#domain/reservation-times.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import type { Deps } from '#server/platform/deps.ts';
import { isSigned, sign } from '#server/platform/secrets.ts';

export interface QueueToken extends OrderRef {
  position: number;
}

const PURPOSE = 'checkout queue';

const TOKEN_FORMAT = /^([\w-]{1,64})\.([0-9a-f-]{36})\.(\d{1,15})\.([\w-]{43})$/;

export function signQueueToken(
  { appSecret }: Pick<Deps, 'appSecret'>,
  { eventId, orderId, position }: QueueToken,
): string {
  const body = `${eventId}.${orderId}.${position}`;
  return `${body}.${sign(appSecret, PURPOSE, body)}`;
}

export function verifyQueueToken({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): QueueToken | null {
  const [, eventId, orderId, position, signature] = TOKEN_FORMAT.exec(handle) ?? [];
  if (eventId === undefined || orderId === undefined || signature === undefined) return null;
  if (!isSigned(appSecret, PURPOSE, `${eventId}.${orderId}.${position}`, signature)) return null;
  return { eventId, orderId, position: Number(position) };
}

export type QueueDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'publicUrl' | 'pagesPerSecond'>;

const POLL_MAX_SECONDS = 10;

/** Reply to a buyer whose tickets are reserved and whose payment page is not open yet. */
export async function queuedReply(deps: QueueDeps, { eventId, orderId, position }: QueueToken): Promise<PaymentPage> {
  const before = await checkoutQueueOf(deps.db).countBefore({ eventId, position });
  const aboutSeconds = Math.ceil((before + 1) / (deps.pagesPerSecond ?? Number.POSITIVE_INFINITY));
  const handle = signQueueToken(deps, { eventId, orderId, position });
  return {
    id: handle,
    // For clients that only follow the URL: the event page reads the token from the fragment.
    url: `${deps.publicUrl}/payment/${eventId}#queue=${handle}`,
    queue: {
      handle,
      before,
      aboutSeconds,
      reservedUntil: new Date(deps.clock.now().getTime() + WAITING_BUYER_MINUTES * 60_000).toISOString(),
      askInSeconds: Math.min(POLL_MAX_SECONDS, Math.max(1, Math.ceil(aboutSeconds / 4))),
    },
  };
}
