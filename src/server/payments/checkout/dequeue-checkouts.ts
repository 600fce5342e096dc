/** Opens the payment pages of those whose turn it is, in the order of the line. */

import {
  dequeue,
  findOrderForPage,
  leaveQueue,
  pausePaymentPages,
  postpone,
  type QueuedOrder,
} from '#server/orders/checkout-queue.sql.ts';
import { releaseUnopened } from '#server/orders/release-reservation.ts';
import { AppError } from '#server/platform/app-error.ts';
import { ProcessorDenied, ProcessorUnreachable } from '#server/platform/ports/processor-error.ts';
import { isTooFast, openAndRecord, type PageDeps } from './open-payment-page.ts';

/** Without a limit there is no line, but for what one left behind. */
const NO_LIMIT = 1_000;
const AGAIN_AFTER_SECONDS = 3;

export interface Opening {
  /** One for each page; none of them fails. */
  pages: Promise<void>[];
  /** When the pace allows the next; `null` while nobody waits. */
  nextInMs: number | null;
}

export async function openWaitingPages(deps: PageDeps, atMost: number): Promise<Opening> {
  const { orders: turns, waitMs } = await dequeue(deps.db, atMost, deps.pagesPerSecond ?? NO_LIMIT);
  return { pages: turns.map((turn) => openQueued(deps, turn)), nextInMs: waitMs };
}

async function openQueued(deps: PageDeps, turn: QueuedOrder): Promise<void> {
  try {
    const order = { ...turn, ...(await findOrderForPage(deps.db, turn)), expiresAt: turn.pageEndsAt };
    await openAndRecord(deps, order);
  } catch (error) {
    await afterFailure(deps, turn, error).catch((again: unknown) =>
      deps.log.warn({ err: again, orderId: turn.orderId }, 'a place in line could not be kept'),
    );
  }
}

/** Who waits keeps waiting while the card company is away; a clear no ends the hold. */
async function afterFailure(deps: PageDeps, turn: QueuedOrder, error: unknown): Promise<void> {
  // No longer held, so no longer in line.
  if (error instanceof AppError) return leaveQueue(deps.db, turn);
  deps.log.warn({ err: error, orderId: turn.orderId }, 'the payment page of an order in line could not be opened');
  if (isTooFast(error)) await pausePaymentPages(deps.db, deps.pagesPerSecond ?? NO_LIMIT, 1);
  if (!(error instanceof ProcessorDenied)) {
    const isNewCall = error instanceof ProcessorUnreachable && error.isFinal;
    return postpone(deps.db, turn, { seconds: AGAIN_AFTER_SECONDS, isNewCall });
  }
  await releaseUnopened(deps, turn);
}
