/** How it stands with held tickets: the payment page, or the place in line. Asking keeps the tickets held. */
import { type PaymentPage, reservationExpired, unknownCheckout } from '#contract/checkout.ts';
import { joinQueue, queuedOrder } from '#server/orders/checkout-queue.sql.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { isSettled } from '#server/orders/find-order.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { openQueueToken, type QueueToken, type WaitingDeps, waitingReply } from './queue-token.ts';

export async function readQueuedCheckout(deps: WaitingDeps, handle: string): Promise<PaymentPage> {
  const held = openQueueToken(deps, handle);
  if (!held) throw notFound(unknownCheckout);
  const line = checkoutQueueOf(deps.db);
  line.notePoll({ eventId: held.eventId, orderId: held.orderId }, deps.clock.now());
  return (await line.isQueued(held.place)) ? waitingReply(deps, held) : pageOrPosition(deps, held);
}

async function pageOrPosition(deps: WaitingDeps, held: QueueToken): Promise<PaymentPage> {
  const order = await queuedOrder(deps.db, held);
  if (!order) throw notFound(unknownCheckout);
  const { sessionId, sessionUrl } = order;
  if (sessionId !== null && order.state === 'held') return { id: sessionId, url: sessionUrl ?? '' };
  if (sessionId !== null && isSettled(order))
    return { id: sessionId, url: `${deps.publicUrl}/success?session_id=${encodeURIComponent(sessionId)}` };
  if (order.state !== 'held' || order.isOver) throw conflict(reservationExpired);
  // In line at another place, or in none since a crash forgot it.
  return waitingReply(deps, { ...held, place: order.place ?? (await joinQueue(deps.db, held)) });
}
