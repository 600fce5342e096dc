/** Gives money of one charge back through Stripe, once. */
import type Stripe from 'stripe';
import type { ProcessorRefund, ProcessorRefundState, RefundAnswer } from '#server/platform/ports/payment-processor.ts';
import { refundOf } from './read-payment.ts';
import { isNo, translated } from './stripe-errors.ts';

/** The buyer waits for this; whatever it leaves open, a job finishes. */
const WAITED_FOR = { timeout: 8_000, maxNetworkRetries: 1 };

export async function sendRefund(stripe: Stripe, refund: ProcessorRefund): Promise<RefundAnswer> {
  try {
    const mayBeThere = refund.maybeSent || refund.findForgotten !== null;
    const { own, others } = mayBeThere ? await refundsOf(stripe, refund) : NOTHING;
    if (own) return answerOf(own);
    const forgotten = await refund.findForgotten?.(others);
    if (forgotten) return { refusal: { isDisputed: false, words: `${ORPHANED}: ${forgotten.providerRefundId}` } };
    return answerOf(refundOf(await createRefund(stripe, refund)));
  } catch (error) {
    if (!isNo(error)) return translated(() => Promise.reject(error));
    return { refusal: { isDisputed: error.code === 'charge_disputed', words: error.message } };
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
    { idempotencyKey: `re:${refundId}:${attempt}`, ...WAITED_FOR },
  );
}

interface Found {
  own: ProcessorRefundState | null;
  /** What else we asked for. */
  others: ProcessorRefundState[];
}

const NOTHING: Found = { own: null, others: [] };
const ORPHANED = 'The order has a refund that is not in our books, as after restoring an older backup';

/** One that failed gave nothing back: the next attempt is to make another. */
async function refundsOf(stripe: Stripe, { refundId, paymentId }: ProcessorRefund): Promise<Found> {
  const others: ProcessorRefundState[] = [];
  for await (const made of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }, WAITED_FOR)) {
    const refund = refundOf(made);
    if (refund.state === 'failed' || refund.refundId === null) continue;
    if (refund.refundId === refundId) return { own: refund, others: [] };
    others.push(refund);
  }
  return { own: null, others };
}

/** Pending counts as accepted: the card company goes on by itself, even while it waits for funds. */
function answerOf(refund: ProcessorRefundState): RefundAnswer {
  if (refund.state !== 'failed') return { refund, refusal: null };
  const words = `${refund.providerRefundId} failed: ${refund.failure ?? 'no reason given'}`;
  return { refusal: { isDisputed: false, words } };
}
