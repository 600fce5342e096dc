/** Verifies and reads what Stripe sends to our webhook: whole events, and the thin ones about accounts. */
import Stripe from 'stripe';
import type { Clock } from '#server/platform/ports/clock.ts';
import type { WebhookEvent } from '#server/platform/ports/payment-processor.ts';

interface WebhookConfig {
  webhookSecrets: readonly string[];
  clock: Clock;
  isLive: boolean;
}

/** Seconds that a signed message may have been under way. */
const SIGNATURE_TOLERANCE = 300;

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
    const notice = isObject(event) ? webhookEventOf(event) : null;
    return isObject(event) && event['livemode'] === isLive ? notice : null;
  }
  return null;
}

/** Whole and thin events are signed alike; the SDK's two readers differ only in what they make of the body. */
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
      SIGNATURE_TOLERANCE,
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
  const { id: noticeId, type } = event;
  if (typeof noticeId !== 'string' || typeof type !== 'string') return null;
  if (event['object'] === 'v2.core.event')
    return {
      noticeId,
      type,
      order: null,
      paymentId: null,
      accountId: accountOf(event['related_object']),
      payload: event,
    };

  const subject = isObject(event['data']) && isObject(event['data']['object']) ? event['data']['object'] : {};
  return {
    noticeId,
    type,
    order: orderOf(subject['metadata']),
    paymentId: paymentOf(subject),
    accountId: type.startsWith('account.') ? accountOf(subject) : null,
    payload: event,
  };
}

/** Sessions, payments, charges and our refunds all carry the order's id as we gave it. */
function orderOf(metadata: unknown): WebhookEvent['order'] {
  if (!isObject(metadata)) return null;
  const { event_id: eventId, order_id: orderId } = metadata;
  return typeof eventId === 'string' && typeof orderId === 'string' ? { eventId, orderId } : null;
}

/** Of a charge, a refund, a dispute or a warning; a session's is left to the session itself. */
function paymentOf(subject: Json): string | null {
  if (subject['object'] === 'payment_intent') return textOf(subject['id']);
  return subject['object'] === 'checkout.session' ? null : textOf(subject['payment_intent']);
}

const accountOf = (subject: unknown): string | null => (isObject(subject) ? textOf(subject['id']) : null);

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
