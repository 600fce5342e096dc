/** Card payments through Stripe's hosted checkout, on the platform's own account. */
import Stripe from 'stripe';
import type { CardProcessor, CheckoutOrder, CheckoutSession, ProviderNotice } from '#server/ports/card-processor.ts';
import type { Clock } from '#server/ports/clock.ts';
import { sendRefund } from './send-refund.ts';
import { expectAnswer, translated } from './stripe-errors.ts';

interface CardsConfig {
  webhookSecret: string;
  publicUrl: string;
  clock: Clock;
  /** Messages about real money are refused while testing, and the other way round. */
  isLive: boolean;
}

const EXPAND = ['payment_intent.latest_charge.balance_transaction'];
/** Seconds that a signed message may have been under way. */
const SIGNATURE_TOLERANCE = 300;

export function stripeCards(stripe: Stripe, config: CardsConfig): CardProcessor {
  return {
    async openCheckout(order) {
      const session = await translated(() =>
        stripe.checkout.sessions.create(sessionParams(order, config.publicUrl), {
          idempotencyKey: `cs:${order.orderId}:1`,
        }),
      );
      return checkoutSessionOf(session);
    },

    async readCheckout(sessionId) {
      try {
        return await readSession(stripe, sessionId);
      } catch (error) {
        if (isMissing(error)) return null;
        return translated(() => Promise.reject(error));
      }
    },

    async closeCheckout(sessionId) {
      try {
        return checkoutSessionOf(await stripe.checkout.sessions.expire(sessionId));
      } catch (error) {
        // Refused because it is no longer open: somebody paid in this very moment, or it has ended by itself.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return translated(() => readSession(stripe, sessionId));
        return translated(() => Promise.reject(error));
      }
    },

    refund: (refund) => sendRefund(stripe, refund),

    readNotice: (rawBody, signature) => readNotice(stripe, config, rawBody, signature),
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
    // Cards only: a payment that settles days later could pay for tickets that were long released.
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

async function readSession(stripe: Stripe, sessionId: string): Promise<CheckoutSession> {
  return checkoutSessionOf(await stripe.checkout.sessions.retrieve(sessionId, { expand: EXPAND }));
}

function checkoutSessionOf(answer: Stripe.Checkout.Session): CheckoutSession {
  const session = expectAnswer(answer, 'checkout.session', ['id', 'status']);
  const payment = session.payment_intent;
  return {
    sessionId: session.id,
    url: session.url,
    state: stateOf(session.status),
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

function stateOf(status: Stripe.Checkout.Session['status']): CheckoutSession['state'] {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}

/** Known once the charge has settled into a balance transaction, and only where it was expanded. */
function feeOf(payment: Stripe.Checkout.Session['payment_intent']): number | null {
  if (!payment || typeof payment === 'string') return null;
  const charge = payment.latest_charge;
  if (!charge || typeof charge === 'string') return null;
  const transaction = charge.balance_transaction;
  return transaction && typeof transaction !== 'string' ? transaction.fee : null;
}

function readNotice(
  stripe: Stripe,
  { webhookSecret, clock, isLive }: CardsConfig,
  rawBody: Buffer,
  signature: string | undefined,
): ProviderNotice | null {
  try {
    const receivedAt = clock.now().getTime();
    const event = stripe.webhooks.constructEvent(
      rawBody,
      signature ?? '',
      webhookSecret,
      SIGNATURE_TOLERANCE,
      undefined,
      receivedAt,
    );
    if (event.livemode !== isLive) return null;
    return { noticeId: event.id, type: event.type, order: orderOf(event.data.object), payload: event };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    throw error;
  }
}

/** Sessions, payments, charges and refunds all carry the order's id as we gave it. */
function orderOf(object: object): ProviderNotice['order'] {
  const metadata = 'metadata' in object ? object.metadata : null;
  if (typeof metadata !== 'object' || metadata === null) return null;
  const { event_id: eventId, order_id: orderId } = metadata as Record<string, unknown>;
  return typeof eventId === 'string' && typeof orderId === 'string' ? { eventId, orderId } : null;
}

function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}
