/** Verifies and parses Stripe's webhook events: snapshot events, and thin events about accounts. */
import Stripe from 'stripe';
import type { Clock } from '#server/platform/ports/clock.ts';
import type { WebhookEvent } from '#server/platform/ports/payment-processor.ts';

interface WebhookConfig {
  webhookSecrets: readonly string[];
  clock: Clock;
  isLive: boolean;
}

/** Maximum age of a signature, in seconds. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

export function readWebhookEvent(
  stripe: Stripe,
  { webhookSecrets, clock, isLive }: WebhookConfig,
  rawBody: Buffer,
  signature: string | undefined,
): WebhookEvent | null {
  const receivedAt = clock.now().getTime();
  for (const secret of webhookSecrets) {
    if (!isSigned(stripe, rawBody, signature, secret, receivedAt)) continue;
    const event: unknown = JSON.parse(rawBody.toString('utf8'));
    const webhookEvent = isObject(event) ? webhookEventOf(event) : null;
    return isObject(event) && event['livemode'] === isLive ? webhookEvent : null;
  }
  return null;
}

/** Snapshot and thin events have the same signature scheme. The SDK's two parsers differ only in how they read the body. */
function isSigned(
  stripe: Stripe,
  rawBody: Buffer,
  signature: string | undefined,
  secret: string,
  receivedAt: number,
): boolean {
  try {
    stripe.webhooks.signature?.verifyHeader(
      rawBody,
      signature ?? '',
      secret,
      SIGNATURE_TOLERANCE_SECONDS,
      Stripe.createNodeCryptoProvider(),
      receivedAt,
    );
    return stripe.webhooks.signature !== null;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

type Json = Record<string, unknown>;

function webhookEventOf(event: Json): WebhookEvent | null {
  const { id: webhookEventId, type } = event;
  if (typeof webhookEventId !== 'string' || typeof type !== 'string') return null;
  if (event['object'] === 'v2.core.event')
    return {
      webhookEventId,
      type,
      order: null,
      paymentId: null,
      accountId: accountOf(event['related_object']),
      payload: event,
    };

  const subject = isObject(event['data']) && isObject(event['data']['object']) ? event['data']['object'] : {};
  return {
    webhookEventId,
    type,
    order: orderOf(subject['metadata']),
    paymentId: paymentOf(subject),
    accountId: type.startsWith('account.') ? accountOf(subject) : null,
    payload: event,
  };
}

/** The metadata that we set on sessions, payments, charges and refunds. */
function orderOf(metadata: unknown): WebhookEvent['order'] {
  if (!isObject(metadata)) return null;
  const { event_id: eventId, order_id: orderId } = metadata;
  return typeof eventId === 'string' && typeof orderId === 'string' ? { eventId, orderId } : null;
}

/** The payment of a charge, refund, dispute or fraud warning. Handlers read a session's payment from the session. */
function paymentOf(subject: Json): string | null {
  if (subject['object'] === 'payment_intent') return textOf(subject['id']);
  return subject['object'] === 'checkout.session' ? null : textOf(subject['payment_intent']);
}

const accountOf = (subject: unknown): string | null => (isObject(subject) ? textOf(subject['id']) : null);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
