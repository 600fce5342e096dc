/**
 * Opens the payment page of a reserved order. If Stripe's rate limit is hit, the order joins the checkout queue with its
 * tickets reserved. Idempotent: an order keeps its page or its queue position. See docs/decisions/0021.
 */

import { LRUCache } from 'lru-cache';
import {
  minutesToPay,
  PAYMENT_PAGE_MINUTES,
  UNPAID_RESERVATION_MINUTES,
  type UnsoldTickets,
} from '#domain/reservation-times.ts';
import { joinQueue, pausePaymentPages, queuedOrder } from '#server/orders/core/checkout-queue.sql.ts';
import { countUnsoldTickets, recordPage } from '#server/orders/core/stock.sql.ts';
import { releaseUnopened } from '#server/orders/release-reservation.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Db, isTooBusy, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutOrder, CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { type QueueDeps, queuedReply } from './queue-token.ts';

export type PageDeps = QueueDeps & Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

/** For a new reservation that has no page yet. `order.expiresAt`: end of the reservation. */
export async function openPaymentPage(deps: PageDeps, order: CheckoutOrder) {
  const { pagesPerSecond } = deps;
  const expiresAt = new Date(order.expiresAt.getTime() + (PAYMENT_PAGE_MINUTES - UNPAID_RESERVATION_MINUTES) * 60_000);
  try {
    return await openAndRecord(deps, { ...order, expiresAt });
  } catch (error) {
    if (pagesPerSecond !== null && isRateLimited(error)) return await joinCheckoutQueue(deps, order, pagesPerSecond);
    // Releasing the tickets would wait for the same rows again. They are released when the reservation expires.
    if (isTooBusy(error)) throw error;
    // Even if Stripe created a session, its URL never left the server, so the tickets can be released at once.
    await releaseUnopened(deps, order);
    throw error;
  }
}

export async function openAndRecord(deps: PageDeps, order: CheckoutOrder): Promise<{ id: string; url: string }> {
  const { sessionId, url } = await deps.paymentProcessor.openCheckout(order);
  const endsAt = await endOfReservation(deps, order);
  const isRecorded = await recordPage(deps.db, order, { sessionId, url, endsAt });
  if (isRecorded) return { id: sessionId, url: url ?? '' };

  const known = await queuedOrder(deps.db, order);
  if (known?.sessionId !== sessionId) {
    // The event was cancelled, or Stripe took minutes. No buyer has seen this page, so close it.
    await closeUnusedPage(deps, sessionId);
    if (known?.state !== 'reserved' || known.sessionId === null) throw new AppError('checkout.reservation-expired');
  }
  return { id: known.sessionId, url: known.sessionUrl ?? '' };
}

/** Earlier than the page's own expiry in a rush, because Stripe's shortest page lasts 30 minutes: we close it at that time. */
async function endOfReservation({ db, clock }: PageDeps, { eventId, lines, expiresAt }: CheckoutOrder): Promise<Date> {
  const own = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const { unsold, unpaid } = await unsoldTickets(db, eventId);
  const endsAt = new Date(clock.now().getTime() + minutesToPay({ unsold, unpaid: unpaid - own }) * 60_000);
  return endsAt < expiresAt ? endsAt : expiresAt;
}

const countsOf = perDatabase(() => new LRUCache<string, Promise<UnsoldTickets>>({ max: 1_000, ttl: 500 }));

/** As it was half a second ago at most: it only decides how long a buyer may take. */
function unsoldTickets(db: Db, eventId: string): Promise<UnsoldTickets> {
  const counts = countsOf(db);
  const known = counts.get(eventId);
  if (known) return known;
  const counting = countUnsoldTickets(db, eventId);
  counts.set(eventId, counting);
  // A failed read must not be remembered.
  counting.catch(() => counts.delete(eventId));
  return counting;
}

async function closeUnusedPage(
  { paymentProcessor, log }: PageDeps,
  sessionId: string,
): Promise<CheckoutSession | null> {
  try {
    return await paymentProcessor.closeCheckout(sessionId);
  } catch (error) {
    log.warn({ err: error, sessionId }, 'could not close an unused payment page');
    return null;
  }
}

async function joinCheckoutQueue(deps: PageDeps, order: CheckoutOrder, pagesPerSecond: number) {
  await pausePaymentPages(deps.db, pagesPerSecond, 1);
  return queuedReply(deps, { ...order, position: await joinQueue(deps.db, order) });
}

export const isRateLimited = (error: unknown): boolean => error instanceof ProcessorUnreachable && error.isTooFast;
