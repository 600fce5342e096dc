/** Card payments through Stripe's hosted checkout, on the platform's own account. */
import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { buyerNameOf } from '#domain/payment.ts';
import type { Clock } from '#server/platform/ports/clock.ts';
import type {
  CheckoutLine,
  CheckoutOrder,
  CheckoutSession,
  PaymentProcessor,
} from '#server/platform/ports/payment-processor.ts';
import { type AppSecret, deriveKey } from '#server/platform/secrets.ts';
import { readCheckoutLines } from './checkout-lines.ts';
import { readPayment } from './read-payment.ts';
import { readWebhookEvent, webhookSubject } from './read-webhook-event.ts';
import { sendEvidence } from './send-evidence.ts';
import { sendRefund } from './send-refund.ts';
import { expectAnswer, feeOfCharge, isMissing, translated } from './stripe-answers.ts';

interface ProcessorConfig {
  /** Several while a secret is rotated. */
  webhookSecrets: readonly string[];
  publicUrl: string;
  clock: Clock;
  appSecret: AppSecret;
  /** Webhook events of the other mode (test or live) are rejected. */
  isLive: boolean;
}

/** Must be expanded to read the payment's status and fee. */
export const CHARGE_OF_SESSION = 'payment_intent.latest_charge.balance_transaction';

export function stripePaymentProcessor(stripe: Stripe, config: ProcessorConfig): PaymentProcessor {
  const { appSecret } = config;
  return {
    async openCheckout(order) {
      const session = await translated(() =>
        stripe.checkout.sessions.create(sessionParams(order, config.publicUrl), {
          idempotencyKey: `cs:${order.orderId}:${order.attempt ?? 1}`,
        }),
      );
      return checkoutSessionOf(session, appSecret);
    },

    readCheckout: (sessionId) => readSession(stripe, appSecret, sessionId),

    readCheckoutLines: (sessionId) => readCheckoutLines(stripe, sessionId),

    async closeCheckout(sessionId) {
      try {
        return checkoutSessionOf(await stripe.checkout.sessions.expire(sessionId), appSecret);
      } catch (error) {
        // The session is no longer open: it was just paid, or has expired.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return readSession(stripe, appSecret, sessionId);
        return translated(() => Promise.reject(error));
      }
    },

    refund: (refund) => sendRefund(stripe, refund),

    readPayment: (paymentId) => translated(() => readPayment(stripe, paymentId)),

    sendEvidence: (evidence) => sendEvidence(stripe, evidence),

    readWebhookEvent: (rawBody, signature) => readWebhookEvent(stripe, config, rawBody, signature),

    webhookSubject,
  };
}

function sessionParams(order: CheckoutOrder, publicUrl: string): Stripe.Checkout.SessionCreateParams {
  const metadata = { order_id: order.orderId, event_id: order.eventId };
  return {
    mode: 'payment',
    client_reference_id: order.orderId,
    line_items: order.lines.map((line) => ({
      quantity: line.quantity,
      metadata: lineMetadata(line),
      price_data: {
        currency: 'usd',
        unit_amount: line.unitPriceCents,
        product_data: {
          name: `${line.ticketName} - ${order.eventTitle}`,
          metadata: { ticket_type_id: line.ticketTypeId },
        },
      },
    })),
    // Cards only: a payment method that settles days later could pay for tickets that were released.
    allowed_payment_method_types: ['card'],
    automatic_tax: { enabled: false },
    adaptive_pricing: { enabled: false },
    allow_promotion_codes: false,
    customer_creation: 'if_required',
    billing_address_collection: 'auto',
    submit_type: 'book',
    locale: 'en',
    success_url: `${publicUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${publicUrl}/payment/${order.eventId}`,
    expires_at: Math.floor(order.expiresAt.getTime() / 1000),
    metadata,
    payment_intent_data: {
      description: order.eventTitle,
      transfer_group: `event_${order.eventId}`,
      metadata,
    },
  };
}

/** Enough to rebuild an order that the database lost. */
const lineMetadata = ({ ticketTypeId, listPriceCents, promoCodeId }: CheckoutLine): Stripe.MetadataParam => ({
  ticket_type_id: ticketTypeId,
  ...(promoCodeId === null ? {} : { promo_code_id: promoCodeId, list_price_cents: listPriceCents }),
});

async function readSession(stripe: Stripe, appSecret: AppSecret, sessionId: string): Promise<CheckoutSession | null> {
  try {
    const session = await stripe.checkout.sessions.retrieve(sessionId, { expand: [CHARGE_OF_SESSION] });
    return checkoutSessionOf(session, appSecret);
  } catch (error) {
    if (isMissing(error)) return null;
    return translated(() => Promise.reject(error));
  }
}

export function checkoutSessionOf(answer: Stripe.Checkout.Session, appSecret: AppSecret): CheckoutSession {
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
    buyerName: session.customer_details?.name ? buyerNameOf(session.customer_details.name) : null,
    paymentId: typeof payment === 'string' ? payment : (payment?.id ?? null),
    feeCents: feeOfCharge(chargeOf(payment)),
    cardHash: cardHashOf(chargeOf(payment), appSecret),
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

function chargeOf(payment: Stripe.Checkout.Session['payment_intent']): Stripe.PaymentIntent['latest_charge'] {
  return !payment || typeof payment === 'string' ? null : payment.latest_charge;
}

/** Stripe's fingerprint of a card is the same in every account that it belongs to, so it never leaves this file. */
function cardHashOf(charge: Stripe.PaymentIntent['latest_charge'], appSecret: AppSecret): Buffer | null {
  if (!charge || typeof charge === 'string') return null;
  const fingerprint = charge.payment_method_details?.card?.fingerprint;
  return fingerprint ? createHmac('sha256', deriveKey(appSecret, 'cards')).update(fingerprint).digest() : null;
}
