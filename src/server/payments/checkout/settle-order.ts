/** Syncs an order with its checkout session at Stripe: paid, expired or still open. */
import type { OrderRef } from '#domain/order.ts';
import { recordCardFee } from '#server/ledger/record-movements.ts';
import { findSessionId, lockEventOnSale } from '#server/orders/core/orders.sql.ts';

import { releaseReservation } from '#server/orders/release-reservation.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { fulfillOrder } from './fulfill-order.ts';

type SettleDeps = Pick<Deps, 'db' | 'paymentProcessor' | 'log'>;

/** @returns the state of the payment page, or `null` if the order has none */
export async function settleOrder(deps: SettleDeps, order: OrderRef): Promise<CheckoutSession['state'] | null> {
  const sessionId = await findSessionId(deps.db, order);
  const session = sessionId && (await deps.paymentProcessor.readCheckout(sessionId));
  if (!session) return null;
  await applySession(deps, order, session);
  return session.state;
}

export async function applySession(deps: SettleDeps, order: OrderRef, session: CheckoutSession): Promise<void> {
  if (session.state === 'expired') return releaseReservation(deps, order);
  if (session.state === 'complete' && session.isPaid) return fulfillOrder(deps, order, session);
}

/** Records Stripe's fee for an order's payment. */
export async function recordPaymentFee(
  { db }: Pick<Deps, 'db'>,
  { eventId, orderId }: OrderRef,
  cents: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (event) await recordCardFee(tx, { eventId, subjectId: orderId, cents, at: event.now });
  });
}
