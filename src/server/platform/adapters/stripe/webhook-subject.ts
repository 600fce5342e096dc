/** What a message of Stripe says of itself, in the product's words. */
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import { stateOfRefund } from './read-payment.ts';

const NOTHING: WebhookSubject = { about: 'nothing' };

/** Steps on the way to a payment, and what is none of the product's, are left out. */
const ABOUT: Record<string, WebhookSubject['about']> = {
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
  const event = objectIn(payload);
  const type = typeof event['type'] === 'string' ? event['type'] : '';
  const about = ABOUT[type] ?? aboutFamily(type);
  // What happens on an organizer's own account, other than to the account itself, is theirs.
  if (typeof event['account'] === 'string' && about !== 'account') return NOTHING;

  const subject = objectIn(objectIn(event['data'])['object']);
  if (about === 'refunded') return { about, cents: Number(subject['amount_refunded'] ?? 0) };
  return about === 'refund' ? refundHint(subject) : { about };
}

function aboutFamily(type: string): 'dispute' | 'account' | 'nothing' {
  if (type.startsWith('charge.dispute.')) return 'dispute';
  return type.startsWith('account.') || type.startsWith('v2.core.account') ? 'account' : 'nothing';
}

function refundHint({ id, status, metadata }: Json): WebhookSubject {
  if (typeof id !== 'string') return NOTHING;
  const refundId = objectIn(metadata)['refund_id'];
  return {
    about: 'refund',
    providerRefundId: id,
    refundId: typeof refundId === 'string' ? refundId : null,
    state: stateOfRefund(typeof status === 'string' ? status : null),
  };
}

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
