/** Maps a Stripe event to the subject it is about. */
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import { stateOfRefund } from './read-payment.ts';

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

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
