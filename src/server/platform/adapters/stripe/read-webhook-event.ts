/** Verifies and parses Stripe's webhook events, and says what each is about: snapshot events, and thin events about accounts. */
import Stripe from 'stripe';
import type { Clock } from '#server/platform/ports/clock.ts';
import type { WebhookEvent, WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import { stateOfRefund } from './read-payment.ts';

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

const IGNORED: WebhookSubject = { about: 'nothing' };

/** Event types not listed are ignored. */
const SUBJECTS: Record<string, WebhookSubject['about']> = {
  'checkout.session.completed': 'sale',
  'checkout.session.async_payment_succeeded': 'sale',
  'checkout.session.async_payment_failed': 'end',
  'checkout.session.expired': 'end',
  'payment_intent.succeeded': 'sale',
  'charge.succeeded': 'sale',
  'charge.updated': 'fee',
  'charge.refunded': 'refunded',
  'charge.refund.updated': 'refund',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'radar.early_fraud_warning.created': 'dispute',
  'radar.early_fraud_warning.updated': 'dispute',
  'balance.available': 'balance',
};

export function webhookSubject(payload: unknown): WebhookSubject {
  const event = asObject(payload);
  const type = typeof event['type'] === 'string' ? event['type'] : '';
  const about = SUBJECTS[type] ?? subjectByPrefix(type);
  // Events on a connected account are the organizer's own business, unless they change the account itself.
  if (typeof event['account'] === 'string' && about !== 'account') return IGNORED;

  const object = asObject(asObject(event['data'])['object']);
  if (about === 'refunded') return { about, cents: Number(object['amount_refunded'] ?? 0) };
  return about === 'refund' ? refundSubject(object) : { about };
}

function subjectByPrefix(type: string): 'dispute' | 'account' | 'nothing' {
  if (type.startsWith('charge.dispute.')) return 'dispute';
  return type.startsWith('account.') || type.startsWith('v2.core.account') ? 'account' : 'nothing';
}

function refundSubject({ id, status, metadata }: Json): WebhookSubject {
  if (typeof id !== 'string') return IGNORED;
  const refundId = asObject(metadata)['refund_id'];
  return {
    about: 'refund',
    stripeRefundId: id,
    refundId: typeof refundId === 'string' ? refundId : null,
    state: stateOfRefund(typeof status === 'string' ? status : null),
  };
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
