/**
 * Rebuilds a paid order that the database lost, as after restoring a backup, from its checkout session at Stripe. It is settled like a
 * late payment: tickets where the stock allows, otherwise a refund. Its tickets get new confirmation numbers, since the earlier ones are
 * lost as well.
 */
import { addsUp } from '#domain/payment.ts';
import { findOrderById, lockEventOnSale } from '#server/orders/core/orders.sql.ts';
import { insertLostOrder } from '#server/orders/core/rebuild.sql.ts';
import { fulfillLocked } from '#server/payments/checkout/fulfill-order.ts';
import { recordAuditEvent } from '#server/platform/audit/record-audit-event.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';

type LostSession = CheckoutSession & { eventId: string; orderId: string };

/** `known`: another process was faster. `impossible`: the event is unknown, or the session isn't what we would have opened. */
export type Rebuilding = 'rebuilt' | 'known' | 'impossible';

export async function rebuildOrder(
  { db, paymentProcessor, log }: Pick<Deps, 'db' | 'paymentProcessor' | 'log'>,
  session: LostSession,
): Promise<Rebuilding> {
  const { eventId, orderId, sessionId, totalCents, currency } = session;
  // Outside the transaction: a slow Stripe call must not hold row locks.
  const lines = await paymentProcessor.readCheckoutLines(sessionId);
  if (lines === null || currency !== 'usd' || !addsUp(lines, totalCents)) return 'impossible';

  const state = await inTransaction(db, async (tx) => {
    const event = await lockEventOnSale(tx, eventId);
    if (!event) return 'impossible';
    const order = { eventId, orderId, sessionId, totalCents, lines, at: event.now };
    if (!(await insertLostOrder(tx, order))) return 'known';
    await fulfillLocked(tx, event, orderId, session);
    const outcome = (await findOrderById(tx, order))?.state ?? 'expired';
    const params = { isIssued: outcome === 'paid', cents: totalCents };
    await recordAuditEvent(tx, { action: 'rebuild-order', subject: orderId, eventId, params, at: event.now });
    return outcome;
  });
  if (state === 'impossible' || state === 'known') return state;
  log.error({ eventId, orderId, state, cents: totalCents }, 'rebuilt a lost order');
  return 'rebuilt';
}
