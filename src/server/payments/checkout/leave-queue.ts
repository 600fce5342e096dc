/** A waiting buyer gives the tickets back, and a payment page that came in the same moment ends first. */
import { reservationPaid, unknownCheckout } from '#contract/checkout.ts';
import { queuedOrder } from '#server/orders/checkout-queue.sql.ts';
import { isSettled } from '#server/orders/find-order.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { endCheckout } from './close-checkouts.ts';
import { openQueueToken } from './queue-token.ts';

export async function leaveCheckoutQueue(
  deps: Pick<Deps, 'db' | 'cards' | 'log' | 'appSecret'>,
  handle: string,
): Promise<void> {
  const held = openQueueToken(deps, handle);
  if (!held) throw notFound(unknownCheckout);
  await endCheckout(deps, held);

  const order = await queuedOrder(deps.db, held);
  if (order && isSettled(order)) throw conflict(reservationPaid);
}
