/**
 * From held tickets to the card company's page, for whoever need not wait. Where the card company is asked too fast all the same,
 * they stand in line with their tickets held. Safe to call again for the same order: it keeps its page, or its place.
 * Source: docs/decisions/0021.
 */
import { reservationExpired } from '#contract/checkout-words.ts';
import { PAYMENT_PAGE_MINUTES, UNPAID_RESERVATION_MINUTES } from '#domain/reservation-times.ts';
import { joinQueue, pausePaymentPages, queuedOrder, recordPage } from '#server/orders/checkout-queue.sql.ts';
import { releaseUnopened } from '#server/orders/release-reservation.ts';
import { conflict } from '#server/platform/app-error.ts';
import { isTooBusy } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutOrder, CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { type WaitingDeps, waitingReply } from './queue-token.ts';

export type PageDeps = WaitingDeps & Pick<Deps, 'db' | 'cards' | 'log'>;

/** For tickets that were reserved a moment ago, which nobody else can have asked a page for. `expiresAt` is the end of their hold. */
export async function openPaymentPage(deps: PageDeps, order: CheckoutOrder) {
  const { pagesPerSecond } = deps;
  const expiresAt = new Date(order.expiresAt.getTime() + (PAYMENT_PAGE_MINUTES - UNPAID_RESERVATION_MINUTES) * 60_000);
  try {
    return await openAndRecord(deps, { ...order, expiresAt });
  } catch (error) {
    if (pagesPerSecond !== null && isTooFast(error)) return await joinCheckoutQueue(deps, order, pagesPerSecond);
    // To free the tickets would wait for the same rows as long again. They are free when their hold ends.
    if (isTooBusy(error)) throw error;
    // Even if a session was made, nobody has its address, so nobody can pay it: the tickets are free at once.
    await releaseUnopened(deps, order);
    throw error;
  }
}

export async function openAndRecord(deps: PageDeps, order: CheckoutOrder): Promise<{ id: string; url: string }> {
  const { sessionId, url } = await deps.cards.openCheckout(order);
  const isRecorded = await recordPage(deps.db, order, { sessionId, url, endsAt: order.expiresAt });
  if (isRecorded) return { id: sessionId, url: url ?? '' };

  const known = await queuedOrder(deps.db, order);
  if (known?.sessionId !== sessionId) {
    // The event was cancelled meanwhile, or the card company took minutes: nobody has seen this page yet, and nobody will.
    await closeUnseen(deps, sessionId);
    if (known?.state !== 'held' || known.sessionId === null) throw conflict(reservationExpired);
  }
  return { id: known.sessionId, url: known.sessionUrl ?? '' };
}

async function closeUnseen({ cards, log }: PageDeps, sessionId: string): Promise<CheckoutSession | null> {
  try {
    return await cards.closeCheckout(sessionId);
  } catch (error) {
    log.warn({ err: error, sessionId }, 'a payment page that nobody has seen could not be closed');
    return null;
  }
}

async function joinCheckoutQueue(deps: PageDeps, order: CheckoutOrder, pagesPerSecond: number) {
  await pausePaymentPages(deps.db, pagesPerSecond, 1);
  return waitingReply(deps, { ...order, place: await joinQueue(deps.db, order) });
}

export const isTooFast = (error: unknown): boolean => error instanceof ProcessorUnreachable && error.isTooFast;
