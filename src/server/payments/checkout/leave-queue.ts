/** Releases the tickets of a queued buyer. A payment page opened in the meantime is expired first. */

import type { OrderRef } from '#domain/order.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { queuedOrder } from '#server/orders/core/checkout-queue.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { endCheckout } from './close-checkouts.ts';
import { verifyQueueToken } from './queue-token.ts';

export type LeaveDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

export async function leaveCheckoutQueue(deps: LeaveDeps & Pick<Deps, 'appSecret'>, handle: string): Promise<void> {
  const ref = verifyQueueToken(deps, handle);
  if (!ref) throw new AppError('checkout.unknown');
  await releaseUnpaid(deps, ref);
}

export async function releaseUnpaid(deps: LeaveDeps, ref: OrderRef): Promise<void> {
  await endCheckout(deps, ref);

  const order = await queuedOrder(deps.db, ref);
  if (order && hasReceivedPayment(order)) throw new AppError('checkout.already-paid');
}
