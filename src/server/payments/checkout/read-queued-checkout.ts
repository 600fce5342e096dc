/** How it stands with held tickets: the payment page, or the place in line. Asking keeps the tickets held. */
import { holdEnded, type PaymentPage, unknownCheckout } from '#contract/checkout.ts';
import { joinPaymentLine, orderInLine } from '#server/orders/checkout-queue.sql.ts';
import { paymentLineOf } from '#server/orders/checkout-queue.ts';
import { isSettled } from '#server/orders/find-order.ts';
import { conflict, notFound } from '#server/platform/app-error.ts';
import { type Held, openHandle, type WaitingDeps, waitingReply } from './queue-token.ts';

export async function readHeldCheckout(deps: WaitingDeps, handle: string): Promise<PaymentPage> {
  const held = openHandle(deps, handle);
  if (!held) throw notFound(unknownCheckout);
  const line = paymentLineOf(deps.db);
  line.noteAsked({ eventId: held.eventId, orderId: held.orderId }, deps.clock.now());
  return (await line.isTaken(held.place)) ? waitingReply(deps, held) : pageOrPlace(deps, held);
}

async function pageOrPlace(deps: WaitingDeps, held: Held): Promise<PaymentPage> {
  const order = await orderInLine(deps.db, held);
  if (!order) throw notFound(unknownCheckout);
  const { sessionId, sessionUrl } = order;
  if (sessionId !== null && order.state === 'held') return { id: sessionId, url: sessionUrl ?? '' };
  if (sessionId !== null && isSettled(order))
    return { id: sessionId, url: `${deps.publicUrl}/success?session_id=${encodeURIComponent(sessionId)}` };
  if (order.state !== 'held' || order.isOver) throw conflict(holdEnded);
  // In line at another place, or in none since a crash forgot it.
  return waitingReply(deps, { ...held, place: order.place ?? (await joinPaymentLine(deps.db, held)) });
}
