/** What a waiting buyer shows to be told of their order: which it is and where it stands, signed, so that nobody can guess another's. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PaymentPage } from '#contract/checkout.ts';
import type { OrderRef } from '#domain/order.ts';
import { WAITING_BUYER_MINUTES } from '#domain/reservation-times.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';

import type { Deps } from '#server/platform/deps.ts';
import { deriveKey } from '#server/platform/secrets.ts';

export interface QueueToken extends OrderRef {
  place: number;
}

const HANDLE = /^([\w-]{1,64})\.([0-9a-f-]{36})\.(\d{1,15})\.([\w-]{43})$/;

export function sealHandle({ appSecret }: Pick<Deps, 'appSecret'>, { eventId, orderId, place }: QueueToken): string {
  const body = `${eventId}.${orderId}.${place}`;
  return `${body}.${signatureOf(body, appSecret)}`;
}

export function openQueueToken({ appSecret }: Pick<Deps, 'appSecret'>, handle: string): QueueToken | null {
  const [, eventId, orderId, place, signature] = HANDLE.exec(handle) ?? [];
  if (eventId === undefined || orderId === undefined || signature === undefined) return null;
  const expected = Buffer.from(signatureOf(`${eventId}.${orderId}.${place}`, appSecret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { eventId, orderId, place: Number(place) };
}

function signatureOf(body: string, appSecret: string): string {
  return createHmac('sha256', deriveKey(appSecret, 'held tickets')).update(body).digest('base64url');
}

export type WaitingDeps = Pick<Deps, 'db' | 'clock' | 'appSecret' | 'publicUrl' | 'pagesPerSecond'>;

const LONGEST_PAUSE_SECONDS = 10;

/** What a buyer is told whose tickets are held and whose payment page is still to come. */
export async function waitingReply(deps: WaitingDeps, { eventId, orderId, place }: QueueToken): Promise<PaymentPage> {
  const before = await checkoutQueueOf(deps.db).countBefore(place);
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
      keptUntil: new Date(deps.clock.now().getTime() + WAITING_BUYER_MINUTES * 60_000).toISOString(),
      askInSeconds: Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, Math.ceil(aboutSeconds / 4))),
    },
  };
}
