/** Gives money of one charge back through Stripe, once. */
import Stripe from 'stripe';
import type { CardRefund, RefundAnswer } from '#server/ports/card-processor.ts';
import { expectAnswer, translated } from './stripe-errors.ts';

/** The buyer waits for this; whatever it leaves open, a job finishes. */
const WAITED_FOR = { timeout: 8_000, maxNetworkRetries: 1 };
/** More than an order has tickets. */
const REFUNDS_OF_A_CHARGE = 100;

export async function sendRefund(stripe: Stripe, refund: CardRefund): Promise<RefundAnswer> {
  try {
    const sent = (refund.maybeSent ? await findRefund(stripe, refund) : null) ?? (await createRefund(stripe, refund));
    return answerOf(expectAnswer(sent, 'refund', ['id', 'status']));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return translated(() => Promise.reject(error));
    return { refusal: { isDisputed: error.code === 'charge_disputed', words: error.message } };
  }
}

function createRefund(stripe: Stripe, { refundId, paymentId, eventId, orderId, amountCents }: CardRefund) {
  return stripe.refunds.create(
    {
      payment_intent: paymentId,
      amount: amountCents,
      reason: 'requested_by_customer',
      metadata: { refund_id: refundId, order_id: orderId, event_id: eventId },
    },
    { idempotencyKey: `re:${refundId}:1`, ...WAITED_FOR },
  );
}

async function findRefund(stripe: Stripe, { refundId, paymentId }: CardRefund): Promise<Stripe.Refund | null> {
  const { data } = await stripe.refunds.list({ payment_intent: paymentId, limit: REFUNDS_OF_A_CHARGE }, WAITED_FOR);
  return data.find((refund) => refund.metadata?.['refund_id'] === refundId) ?? null;
}

/** Pending counts as accepted: the card company goes on by itself, even while it waits for funds. */
function answerOf({ id, status, failure_reason }: Stripe.Refund): RefundAnswer {
  if (status !== 'failed' && status !== 'canceled') return { providerRefundId: id, refusal: null };
  return { refusal: { isDisputed: false, words: `${id} is ${status}: ${failure_reason ?? 'no reason given'}` } };
}
