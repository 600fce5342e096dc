/** Syncs a payment's order, fee, refunds and disputes with Stripe. Idempotent: it only records and never moves money. */
import type { OrderRef } from '#domain/order.ts';
import { hasReceivedPayment } from '#domain/payment.ts';
import { recordCardFee } from '#server/ledger/record-movements.ts';
import { findOrder, type KnownOrder, lockEventOnSale, lockOrder } from '#server/orders/core/orders.sql.ts';
import { settleOrder } from '#server/payments/checkout/fulfill-order.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { applyRefunds } from '#server/payments/refunds/apply-refunds.ts';
import { chargeRefundCosts } from '#server/payments/refunds/refund-costs.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { PaymentReading } from '#server/platform/ports/payment-processor.ts';

/**
 * `foreign`: not one of our payments, or not the one that paid its order. `unknown-order`: names an order that we don't
 * have. `not-yet`: its order is not paid yet.
 */
export type SettledPayment = 'settled' | 'foreign' | 'unknown-order' | 'not-yet';

export async function settlePayment(
  deps: Pick<Deps, 'db' | 'paymentProcessor' | 'payoutAccounts' | 'clock' | 'log'>,
  paymentId: string,
): Promise<SettledPayment> {
  const reading = await deps.paymentProcessor.readPayment(paymentId);
  if (!reading) return 'foreign';
  const found = await orderOf(deps, reading);
  if (!found) return reading.order ? 'unknown-order' : 'foreign';

  // The sale first, then its refunds: webhooks arrive in any order.
  if (!hasReceivedPayment(found)) await settleOrder(deps, found);
  const order = (await findOrder(deps.db, { paymentId: null, order: found })) ?? found;
  if (!hasReceivedPayment(order)) return 'not-yet';
  // Metadata may name an order that another payment paid. That payment doesn't belong to the order.
  if (order.paymentId !== paymentId) return 'foreign';

  if (reading.feeCents !== null && !order.hasFee) await recordFee(deps, order, reading.feeCents);
  await applyRefunds(deps, order, reading);
  await applyDisputes(deps, order, reading);
  return 'settled';
}

/** Our own record of the payment takes precedence over its metadata at Stripe. */
async function orderOf(deps: Pick<Deps, 'db'>, { paymentId, order }: PaymentReading): Promise<KnownOrder | null> {
  return (await findOrder(deps.db, { paymentId, order: null })) ?? findOrder(deps.db, { paymentId: null, order });
}

/** Records Stripe's fee for an order's payment. */
async function recordFee({ db }: Pick<Deps, 'db'>, { eventId, orderId }: OrderRef, cents: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (!event) return;
    // Before the fee is written: a refund sent at the same time must see it, or be seen.
    if (event.cancelledAt) await lockOrder(tx, { eventId, orderId });
    await recordCardFee(tx, { eventId, subjectId: orderId, cents, at: event.now });
    if (event.cancelledAt) await chargeRefundCosts(tx, { eventId, orderId }, orderId, event.now);
  });
}

/**
 * Logs errors instead of throwing, so one failing payment doesn't block the others.
 *
 * @returns whether the payment is settled
 */
export async function trySettlePayment(deps: Parameters<typeof settlePayment>[0], paymentId: string): Promise<boolean> {
  try {
    const settled = await settlePayment(deps, paymentId);
    if (settled === 'settled')
      deps.log.warn({ paymentId }, 'settled a payment with changes that no webhook had reported');
    return settled === 'settled';
  } catch (error) {
    deps.log.error({ err: error, paymentId }, 'could not settle a payment');
    return false;
  }
}
