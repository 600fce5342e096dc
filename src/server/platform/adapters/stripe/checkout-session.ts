/** Maps a Stripe Checkout Session. */
import type Stripe from 'stripe';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { expectAnswer } from './stripe-errors.ts';

/** Must be expanded to read the payment's status and fee. */
export const CHARGE_OF_SESSION = 'payment_intent.latest_charge.balance_transaction';

export function checkoutSessionOf(answer: Stripe.Checkout.Session): CheckoutSession {
  const session = expectAnswer(answer, 'checkout.session', ['id', 'status']);
  const payment = session.payment_intent;
  return {
    sessionId: session.id,
    url: session.url,
    state: stateOf(session),
    isPaid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
    totalCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
    orderId: session.metadata?.['order_id'] ?? null,
    eventId: session.metadata?.['event_id'] ?? null,
    buyerEmail: session.customer_details?.email ?? null,
    paymentId: typeof payment === 'string' ? payment : (payment?.id ?? null),
    feeCents: feeOf(payment),
  };
}

/** A failed delayed payment leaves its session `complete` but unpaid, and it can no longer be paid. */
function stateOf({ status, payment_status, payment_intent }: Stripe.Checkout.Session): CheckoutSession['state'] {
  if (status === 'expired') return 'expired';
  if (status !== 'complete') return 'open';
  const hasFailed =
    payment_status === 'unpaid' &&
    typeof payment_intent === 'object' &&
    (payment_intent?.status === 'requires_payment_method' || payment_intent?.status === 'canceled');
  return hasFailed ? 'expired' : 'complete';
}

function feeOf(payment: Stripe.Checkout.Session['payment_intent']): number | null {
  if (!payment || typeof payment === 'string') return null;
  return feeOfCharge(payment.latest_charge);
}

/** Known once the charge has a balance transaction, and only if that was expanded. */
export function feeOfCharge(charge: Stripe.PaymentIntent['latest_charge']): number | null {
  if (!charge || typeof charge === 'string') return null;
  const transaction = charge.balance_transaction;
  return transaction && typeof transaction !== 'string' ? transaction.fee : null;
}
