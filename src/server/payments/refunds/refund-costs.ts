/**
 * Stripe's fees on the refunds of a cancelled event whose organizer bears them. The event has no payout that could deduct
 * them, so they become a debt.
 */
import type { OrderRef } from '#domain/order.ts';
import { refundCostsCents } from '#domain/payouts/refund-costs.ts';
import { recordRefundCosts } from '#server/ledger/record-movements.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ordersWithCosts, refundedPayment } from './refund-costs.sql.ts';
import { lockOrderForRefund } from './refund-locks.sql.ts';

/**
 * Records what the order's refunds have cost so far and is not recorded yet. `subjectId`: the refund or order that is the
 * news. The caller locks the order, and the event is cancelled.
 */
export async function chargeRefundCosts(tx: Db, order: OrderRef, subjectId: string, at: Date): Promise<void> {
  const payment = await refundedPayment(tx, order);
  if (!payment) return;
  const cents = refundCostsCents([{ payments: 1, ...payment }]) - payment.recordedCents;
  const { eventId } = order;
  if (cents > 0) await recordRefundCosts(tx, { eventId, subjectId, cents, at }, 'receivables');
}

/** Of the refunds that were sent before the event was cancelled. Idempotent. */
export async function chargeEarlierRefundCosts({ db }: Pick<Deps, 'db'>, eventId: string): Promise<void> {
  for (const orderId of await ordersWithCosts(db, eventId)) {
    await inTransaction(db, async (tx) => {
      const order = await lockOrderForRefund(tx, { eventId, orderId });
      if (order) await chargeRefundCosts(tx, order, orderId, order.now);
    });
  }
}
