/**
 * Sets an order aside whose payment is not what was ordered. No tickets are made, its stock stays reserved, and nothing
 * goes back by itself: whoever can change what is paid could otherwise make the product send money.
 */
import type { PaymentObstacle } from '#domain/payment.ts';
import type { Db } from '#server/database.ts';
import { recordUnfillableSale } from '#server/ledger/record-sale.ts';
import type { CheckoutSession } from '#server/ports/card-processor.ts';
import { type OrderRef, setOrderState } from './checkout.sql.ts';

/** The caller's transaction holds the order, with its stock. */
export async function quarantineOrder(
  tx: Db,
  { eventId, orderId, at }: OrderRef & { at: Date },
  session: CheckoutSession,
  quarantine: PaymentObstacle,
): Promise<void> {
  const { sessionId, paymentId, buyerEmail } = session;
  // The books are in dollars, and so is every refund.
  const receivedCents = session.currency === 'usd' ? session.totalCents : 0;
  const change = { sessionId, paymentId, buyerEmail, quarantine, receivedCents };
  await setOrderState(tx, { eventId, orderId }, { state: 'quarantined', ...change });
  await recordUnfillableSale(tx, { eventId, subjectId: orderId, cents: receivedCents, at });
}
