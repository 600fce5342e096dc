/**
 * Brings everything about one payment to where the card company says it is: its order, its fee, its refunds, its
 * disputes. Safe at any time and any number of times: it records what is, and sends nothing.
 */
import { findOrder, isSettled, type KnownOrder } from '#server/orders/find-order.ts';
import { recordPaymentFee, settleOrder } from '#server/payments/checkout/settle-order.ts';
import { applyDisputes } from '#server/payments/disputes/apply-disputes.ts';
import { applyRefunds } from '#server/payments/refunds/apply-refunds.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { PaymentReading } from '#server/platform/ports/payment-processor.ts';

/**
 * `foreign`: not a payment of the product's, or not the one that its order was paid with. `unknown-order`: it names an order that we do not have.
 * `not-yet`: its order is not paid, so there is nothing to give back either.
 */
export type SettledPayment = 'settled' | 'foreign' | 'unknown-order' | 'not-yet';

export async function settlePayment(
  deps: Pick<Deps, 'db' | 'cards' | 'payoutAccounts' | 'clock' | 'log'>,
  paymentId: string,
): Promise<SettledPayment> {
  const reading = await deps.cards.readPayment(paymentId);
  if (!reading) return 'foreign';
  const found = await orderOf(deps, reading);
  if (!found) return reading.order ? 'unknown-order' : 'foreign';

  // First the sale, then what was given back of it: the messages about them come in any order.
  if (!isSettled(found)) await settleOrder(deps, found);
  const order = (await findOrder(deps, { paymentId: null, order: found })) ?? found;
  if (!isSettled(order)) return 'not-yet';
  // Anybody may write an order's id beside another payment: nothing of that one is this order's.
  if (order.paymentId !== paymentId) return 'foreign';

  if (reading.feeCents !== null && !order.hasFee) await recordPaymentFee(deps, order, reading.feeCents);
  await applyRefunds(deps, order, reading);
  await applyDisputes(deps, order, reading);
  return 'settled';
}

/** Our own record of who was paid with it goes before what stands beside it there. */
async function orderOf(deps: Pick<Deps, 'db'>, { paymentId, order }: PaymentReading): Promise<KnownOrder | null> {
  return (await findOrder(deps, { paymentId, order: null })) ?? findOrder(deps, { paymentId: null, order });
}

/**
 * One payment that cannot be settled must not keep the others from being looked at.
 *
 * @returns whether it is settled now
 */
export async function trySettlePayment(deps: Parameters<typeof settlePayment>[0], paymentId: string): Promise<boolean> {
  try {
    const settled = await settlePayment(deps, paymentId);
    if (settled === 'settled') deps.log.warn({ paymentId }, 'a payment of which no notice had told all');
    return settled === 'settled';
  } catch (error) {
    deps.log.error({ err: error, paymentId }, 'a payment could not be settled');
    return false;
  }
}
