/** From the page that asks a buyer something to the payment page. */
import type { PaymentPage } from '#contract/app/checkout.ts';
import type { GuestDetails } from '#contract/forms/guest-details.ts';
import type { OrderRef } from '#domain/order.ts';
import { needsDetails } from '#domain/sales/guest-form.ts';
import { checkoutPageReply, orderOfHandle } from '#server/orders/checkout-page/checkout-page.ts';
import { checkoutQueueOf } from '#server/orders/checkout-queue.ts';
import { joinQueue, takePageToken } from '#server/orders/core/checkout-queue.sql.ts';
import { findOrderLines } from '#server/orders/core/orders.sql.ts';
import { reservedOrder } from '#server/orders/core/stock.sql.ts';
import { type DetailedOrder, saveDetails } from '#server/orders/details/save-details.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { requeue } from './keep-reservation.ts';
import { openPaymentPage, type PageDeps } from './open-payment-page.ts';
import { queuedReply } from './queue-token.ts';

/** A free order answers with its own page, which asks for an address now. */
export async function sendDetails(
  deps: PageDeps & Pick<Deps, 'rateLimiter'>,
  details: GuestDetails & { handle: string },
): Promise<PaymentPage> {
  const order = await saveDetails(deps, details);
  if (order.totalCents === 0) return checkoutPageReply(deps, order);
  return order.isFirst ? openOrQueue(deps, order) : pageOf(deps, order);
}

/** For a buyer who comes back to the page. */
export async function continueCheckout(deps: PageDeps, { handle }: { handle: string }): Promise<PaymentPage> {
  return pageOf(deps, orderOfHandle(deps, handle));
}

async function pageOf(deps: PageDeps, ref: OrderRef): Promise<PaymentPage> {
  const order = await reservedOrder(deps.db, ref);
  if (!order) throw new AppError('checkout.unknown');
  if (!order.isStanding) throw new AppError('checkout.reservation-expired');
  if (order.totalCents === 0) return checkoutPageReply(deps, ref);
  if (needsDetails(order)) throw new AppError('details.missing');
  if (order.sessionId !== null) return { id: order.sessionId, url: order.sessionUrl ?? '' };
  return queuedReply(deps, { ...ref, position: await requeue(deps, ref) });
}

async function openOrQueue(deps: PageDeps, { eventId, orderId, ...order }: DetailedOrder): Promise<PaymentPage> {
  const ref = { eventId, orderId };
  const { db, pagesPerSecond } = deps;
  if (pagesPerSecond !== null && !(await takePageToken(db, pagesPerSecond))) {
    const position = await joinQueue(db, ref);
    checkoutQueueOf(db).noteJoined({ eventId, position });
    return queuedReply(deps, { ...ref, position });
  }
  const { eventTitle, expiresAt } = order;
  return openPaymentPage(deps, { ...ref, eventTitle, expiresAt, lines: await findOrderLines(db, ref) });
}
