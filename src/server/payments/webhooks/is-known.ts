/** Whether a refund webhook only repeats what our records already say. */
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import type { refundsOfOrder } from './webhooks.sql.ts';

type Refund = Awaited<ReturnType<typeof refundsOfOrder>>[number];
type RefundHint = Extract<WebhookSubject, { about: 'refund' }>;

export function isKnownRefund({ stripeRefundId, refundId, state }: RefundHint, refunds: readonly Refund[]): boolean {
  const refund = refunds.find((row) => row.stripeRefundId === stripeRefundId || row.id === refundId);
  if (!refund) return false;
  // Our own call is in flight. It records the response itself.
  if (refund.state === 'claimed') return state !== 'failed';
  if (refund.state === 'sent') return state === 'pending' || (state === 'succeeded' && refund.settledAt !== null);
  return refund.state === 'failed' || (refund.state === 'refused' && state === 'failed');
}

/** Refunds in flight count as known: Stripe sends a separate event for each of them. */
export function isKnownSum(refundedCents: number, refunds: readonly Refund[]): boolean {
  const known = refunds.filter(({ state }) => state === 'sent' || state === 'claimed');
  return refundedCents <= known.reduce((sum, { cents }) => sum + cents, 0);
}
