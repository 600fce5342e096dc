/** Gives money of one charge back through Stripe, once. */
import Stripe from 'stripe';
import type { CardRefund, ProviderRefund, RefundAnswer } from '#server/ports/card-processor.ts';
import { refundOf } from './read-payment.ts';
import { translated } from './stripe-errors.ts';

/** The buyer waits for this; whatever it leaves open, a job finishes. */
const WAITED_FOR = { timeout: 8_000, maxNetworkRetries: 1 };

export async function sendRefund(stripe: Stripe, refund: CardRefund): Promise<RefundAnswer> {
  try {
    const mayBeThere = refund.maybeSent || refund.knownRefunds !== null;
    const { own, unknown } = mayBeThere ? await refundsOf(stripe, refund) : NOTHING;
    if (!own && unknown) return { refusal: { isDisputed: false, words: `${UNKNOWN}: ${unknown.id}` } };
    const sent = own ?? (await createRefund(stripe, refund));
    return answerOf(refundOf(sent));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return translated(() => Promise.reject(error));
    return { refusal: { isDisputed: error.code === 'charge_disputed', words: error.message } };
  }
}

function createRefund(stripe: Stripe, { refundId, paymentId, eventId, orderId, amountCents, attempt }: CardRefund) {
  return stripe.refunds.create(
    {
      payment_intent: paymentId,
      amount: amountCents,
      reason: 'requested_by_customer',
      metadata: { refund_id: refundId, order_id: orderId, event_id: eventId },
    },
    { idempotencyKey: `re:${refundId}:${attempt}`, ...WAITED_FOR },
  );
}

const NOTHING = { own: null, unknown: null };
const UNKNOWN = 'The order has a refund that is not in our books, as after restoring an older backup';

/** One that failed gave nothing back: the next attempt is to make another. */
async function refundsOf(stripe: Stripe, { refundId, paymentId, knownRefunds }: CardRefund) {
  let unknown: Stripe.Refund | null = null;
  for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }, WAITED_FOR)) {
    if (refund.status === 'failed' || refund.status === 'canceled') continue;
    const madeFor = refund.metadata?.['refund_id'];
    if (madeFor === refundId) return { own: refund, unknown: null };
    if (madeFor !== undefined && knownRefunds?.includes(madeFor) === false) unknown = refund;
  }
  return { own: null, unknown };
}

/** Pending counts as accepted: the card company goes on by itself, even while it waits for funds. */
function answerOf(refund: ProviderRefund): RefundAnswer {
  if (refund.state !== 'failed') return { refund, refusal: null };
  const words = `${refund.providerRefundId} failed: ${refund.failure ?? 'no reason given'}`;
  return { refusal: { isDisputed: false, words } };
}
