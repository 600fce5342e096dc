/** State of a queued checkout: its payment page or its queue position. Each poll extends the reservation. */
import { type PaymentPage } from '#contract/app/checkout.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { joinQueue, queuedOrder } from '#server/orders/core/checkout-queue.sql.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type QueueDeps, type QueueToken, queuedReply, verifyQueueToken } from './queue-token.ts';

export async function readQueuedCheckout(deps: QueueDeps, handle: string): Promise<PaymentPage> {
  const token = verifyQueueToken(deps, handle);
  if (!token) throw new AppError('checkout.unknown');
  const queue = checkoutQueueOf(deps.db);
  queue.notePoll({ eventId: token.eventId, orderId: token.orderId }, deps.clock.now());
  return (await queue.isQueued(token)) ? queuedReply(deps, token) : pageOrPosition(deps, token);
}

async function pageOrPosition(deps: QueueDeps, token: QueueToken): Promise<PaymentPage> {
  const order = await queuedOrder(deps.db, token);
  if (!order) throw new AppError('checkout.unknown');
  const { sessionId, sessionUrl } = order;
  if (sessionId !== null && order.state === 'reserved') return { id: sessionId, url: sessionUrl ?? '' };
  if (sessionId !== null && hasReceivedPayment(order))
    return { id: sessionId, url: `${deps.publicUrl}/success?session_id=${encodeURIComponent(sessionId)}` };
  if (order.state !== 'reserved' || order.isOver) throw new AppError('checkout.reservation-expired');
  // Queued at another position, or dropped from the queue by a crash.
  return queuedReply(deps, { ...token, position: order.position ?? (await joinQueue(deps.db, token)) });
}
