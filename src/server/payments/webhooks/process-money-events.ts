/** Acts on notices about one order or one payment. */
import { findOrder, isSettled, type KnownOrder } from '#server/orders/find-order.ts';
import { settleOrder } from '#server/payments/checkout/settle-order.ts';
import { settlePayment } from '#server/payments/reconciliation/settle-payment.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import { isKnownRefund, isKnownSum } from './is-known.ts';
import { refundsOfOrder, type UnprocessedEvent } from './webhooks.sql.ts';

export type WebhookDeps = Pick<Deps, 'db' | 'cards' | 'payoutAccounts' | 'clock' | 'log'>;

/** An order is there before its payment page. One that is missing for longer is none of ours, or lost. */
const ORDER_MAY_COME_SECONDS = 10 * 60;

/** @returns the notices that nothing more is to be done about */
export async function processMoneyEvents(
  deps: WebhookDeps,
  notices: readonly UnprocessedEvent[],
): Promise<readonly UnprocessedEvent[]> {
  const named = namedBy(notices);
  const order = await findOrder(deps, named);
  if (!order && named.order) return giveUp(deps, notices);

  switch (await newsOf(deps, notices, order)) {
    case 'none':
      return notices;
    case 'sale':
      if (order) await settleOrder(deps, order);
      return notices;
    case 'payment': {
      // Others than the order's own may name it, too.
      const paymentIds = new Set([order?.paymentId, ...notices.map(({ paymentId }) => paymentId)]);
      let isClear = true;
      for (const paymentId of paymentIds) {
        const settled = paymentId ? await settlePayment(deps, paymentId) : 'foreign';
        if (settled !== 'settled' && settled !== 'foreign') isClear = false;
      }
      return isClear ? notices : giveUp(deps, notices);
    }
  }
}

function namedBy(notices: readonly UnprocessedEvent[]) {
  const named = notices.find(({ eventId, orderId }) => eventId !== null && orderId !== null);
  const order = named?.eventId && named.orderId ? { eventId: named.eventId, orderId: named.orderId } : null;
  return { order, paymentId: notices.find(({ paymentId }) => paymentId !== null)?.paymentId ?? null };
}

/** Those that may still become clear stay open, and come again with the sweep. */
function giveUp({ log }: WebhookDeps, notices: readonly UnprocessedEvent[]): readonly UnprocessedEvent[] {
  const hopeless = notices.filter(({ ageSeconds }) => ageSeconds > ORDER_MAY_COME_SECONDS);
  for (const { id, type, orderId } of hopeless) {
    log.warn({ noticeId: id, type, orderId }, 'a notice about an order that is not here; reconciling will tell');
  }
  return hopeless;
}

/**
 * Thousands of notices only repeat what we have done ourselves, such as the refunds of a cancelled event. Each costs a
 * look into the database and no call.
 */
async function newsOf(
  { db, cards }: WebhookDeps,
  notices: readonly UnprocessedEvent[],
  order: KnownOrder | null,
): Promise<'none' | 'sale' | 'payment'> {
  const hints = notices.map(({ payload }) => cards.hintOf(JSON.parse(payload)));
  const refunds = order && hints.some(isAboutRefunds) ? await refundsOfOrder(db, order) : [];
  const news = hints.filter((hint) => {
    if (hint.about === 'sale') return order && !isSettled(order);
    if (hint.about === 'end') return order?.state === 'held';
    if (hint.about === 'fee') return order && !order.hasFee;
    if (hint.about === 'refund') return !isKnownRefund(hint, refunds);
    return hint.about === 'refunded' ? !isKnownSum(hint.cents, refunds) : hint.about === 'dispute';
  });
  if (news.length === 0) return 'none';
  return news.every(({ about }) => OF_SALES.has(about)) ? 'sale' : 'payment';
}

const OF_SALES: ReadonlySet<WebhookSubject['about']> = new Set(['sale', 'end', 'fee']);

const isAboutRefunds = ({ about }: WebhookSubject) => about === 'refund' || about === 'refunded';
