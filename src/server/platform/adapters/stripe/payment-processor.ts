/** Card payments through Stripe's hosted checkout, on the platform's own account. */
import Stripe from 'stripe';
import type { Clock } from '#server/platform/ports/clock.ts';
import type { CheckoutOrder, CheckoutSession, PaymentProcessor } from '#server/platform/ports/payment-processor.ts';
import { CHARGE_OF_SESSION, checkoutSessionOf } from './checkout-session.ts';
import { readPayment } from './read-payment.ts';
import { readWebhookEvent } from './read-webhook-event.ts';
import { sendRefund } from './send-refund.ts';
import { isMissing, translated } from './stripe-errors.ts';
import { webhookSubject } from './webhook-subject.ts';

interface ProcessorConfig {
  /** Several while a secret is rotated. */
  webhookSecrets: readonly string[];
  publicUrl: string;
  clock: Clock;
  /** Webhook events of the other mode (test or live) are rejected. */
  isLive: boolean;
}

export function stripePaymentProcessor(stripe: Stripe, config: ProcessorConfig): PaymentProcessor {
  return {
    async openCheckout(order) {
      const session = await translated(() =>
        stripe.checkout.sessions.create(sessionParams(order, config.publicUrl), {
          idempotencyKey: `cs:${order.orderId}:${order.attempt ?? 1}`,
        }),
      );
      return checkoutSessionOf(session);
    },

    readCheckout: (sessionId) => readSession(stripe, sessionId),

    async closeCheckout(sessionId) {
      try {
        return checkoutSessionOf(await stripe.checkout.sessions.expire(sessionId));
      } catch (error) {
        // The session is no longer open: it was just paid, or has expired.
        if (error instanceof Stripe.errors.StripeInvalidRequestError) return readSession(stripe, sessionId);
        return translated(() => Promise.reject(error));
      }
    },

    refund: (refund) => sendRefund(stripe, refund),

    readPayment: (paymentId) => translated(() => readPayment(stripe, paymentId)),

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

async function readSession(stripe: Stripe, sessionId: string): Promise<CheckoutSession | null> {
  try {
    return checkoutSessionOf(await stripe.checkout.sessions.retrieve(sessionId, { expand: [CHARGE_OF_SESSION] }));
  } catch (error) {
    if (isMissing(error)) return null;
    return translated(() => Promise.reject(error));
  }
}
