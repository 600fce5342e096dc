/** Opens payment pages for queued orders, in queue order and at the configured rate. */
import {
  dequeue,
  findOrderForPage,
  leaveQueue,
  pausePaymentPages,
  postpone,
  type QueuedOrder,
} from '#server/orders/core/checkout-queue.sql.ts';
import { releaseUnopened } from '#server/orders/release-reservation.ts';
import { AppError } from '#server/platform/app-error.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { isRateLimited, openAndRecord, type PageDeps } from './open-payment-page.ts';

/** Without a rate limit, the queue only holds orders from before the limit was removed. */
const NO_LIMIT = 1_000;
const RETRY_SECONDS = 3;

export interface DequeueResult {
  /** One promise per page. None of them rejects. */
  pages: Promise<void>[];
  /** When the rate allows the next page; null if the queue is empty. */
  nextInMs: number | null;
}

export async function dequeueCheckouts(deps: PageDeps, atMost: number): Promise<DequeueResult> {
  const { orders: queued, waitMs } = await dequeue(deps.db, atMost, deps.pagesPerSecond ?? NO_LIMIT);
  return { pages: queued.map((order) => openQueued(deps, order)), nextInMs: waitMs };
}

async function openQueued(deps: PageDeps, queued: QueuedOrder): Promise<void> {
  try {
    const order = { ...queued, ...(await findOrderForPage(deps.db, queued)), expiresAt: queued.pageEndsAt };
    await openAndRecord(deps, order);
  } catch (error) {
    await handleFailure(deps, queued, error).catch((err: unknown) =>
      deps.log.warn({ err, orderId: queued.orderId }, 'could not requeue a checkout'),
    );
  }
}

/** The order stays queued while Stripe is unreachable. A definite denial releases its reservation. */
async function handleFailure(deps: PageDeps, queued: QueuedOrder, error: unknown): Promise<void> {
  // The reservation is gone.
  if (error instanceof AppError) return leaveQueue(deps.db, queued);
  deps.log.warn({ err: error, orderId: queued.orderId }, 'could not open the payment page of a queued order');
  if (isRateLimited(error)) await pausePaymentPages(deps.db, deps.pagesPerSecond ?? NO_LIMIT, 1);
  if (!(error instanceof ProcessorDenied)) {
    const isNewCall = error instanceof ProcessorUnreachable && error.isFinal;
    return postpone(deps.db, queued, { seconds: RETRY_SECONDS, isNewCall });
  }
  await releaseUnopened(deps, queued);
}
