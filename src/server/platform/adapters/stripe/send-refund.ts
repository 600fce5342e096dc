/** Sends a refund to Stripe, at most once. */
import type Stripe from 'stripe';
import type { ProcessorRefund, ProcessorRefundState, RefundAnswer } from '#server/platform/ports/payment-processor.ts';
import { refundOf } from './read-payment.ts';
import { isNo, translated } from './stripe-answers.ts';

/** The buyer waits for this call. A job completes what times out. */
const INTERACTIVE = { timeout: 8_000, maxNetworkRetries: 1 };

export async function sendRefund(stripe: Stripe, refund: ProcessorRefund): Promise<RefundAnswer> {
  try {
    const needsLookup = refund.maybeSent || refund.findOrphaned !== null;
    const { own, others } = needsLookup ? await refundsOf(stripe, refund) : NONE_FOUND;
    if (own) return answerOf(own);
    const orphaned = await refund.findOrphaned?.(others);
    if (orphaned) return { denial: { isDisputed: false, message: `${ORPHANED_REFUND}: ${orphaned.stripeRefundId}` } };
    return answerOf(refundOf(await createRefund(stripe, refund)));
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    return { denial: { isDisputed: error.code === 'charge_disputed', message: error.message } };
  }
}

function createRefund(stripe: Stripe, refund: ProcessorRefund) {
  const { refundId, paymentId, eventId, orderId, ticketId, amountCents, attempt } = refund;
  return stripe.refunds.create(
    {
      payment_intent: paymentId,
      amount: amountCents,
      reason: 'requested_by_customer',
      metadata: { refund_id: refundId, order_id: orderId, event_id: eventId, ...(ticketId && { ticket_id: ticketId }) },
    },
    { idempotencyKey: `re:${refundId}:${attempt}`, ...INTERACTIVE },
  );
}

interface Found {
  own: ProcessorRefundState | null;
  /** Our other refunds of the payment. */
  others: ProcessorRefundState[];
}

const NONE_FOUND: Found = { own: null, others: [] };
const ORPHANED_REFUND = 'The order has a refund that is not in our books, as after restoring an older backup';

/** Skips failed refunds, which moved no money. */
async function refundsOf(stripe: Stripe, { refundId, paymentId }: ProcessorRefund): Promise<Found> {
  const others: ProcessorRefundState[] = [];
  for await (const listed of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }, INTERACTIVE)) {
    const refund = refundOf(listed);
    if (refund.state === 'failed' || refund.refundId === null) continue;
    if (refund.refundId === refundId) return { own: refund, others: [] };
    others.push(refund);
  }
  return { own: null, others };
}

/** Pending counts as accepted: Stripe completes it, even if it waits for funds. */
function answerOf(refund: ProcessorRefundState): RefundAnswer {
  if (refund.state !== 'failed') return { refund, denial: null };
  const message = `${refund.stripeRefundId} failed: ${refund.failure ?? 'no reason given'}`;
  return { denial: { isDisputed: false, message } };
}
