/** Whether a notice about refunds repeats what the product's own records say already. */
import type { WebhookSubject } from '#server/platform/ports/payment-processor.ts';
import type { refundsOfOrder } from './webhooks.sql.ts';

type Refund = Awaited<ReturnType<typeof refundsOfOrder>>[number];
type RefundHint = Extract<WebhookSubject, { about: 'refund' }>;

export function isKnownRefund({ providerRefundId, refundId, state }: RefundHint, refunds: readonly Refund[]): boolean {
  const refund = refunds.find((row) => row.providerRefundId === providerRefundId || row.id === refundId);
  if (!refund) return false;
  // Our own call is under way, and its answer is recorded by whoever made it.
  if (refund.state === 'claimed') return state !== 'failed';
  if (refund.state === 'sent') return state === 'pending' || (state === 'succeeded' && refund.settledAt !== null);
  return refund.state === 'failed' || (refund.state === 'refused' && state === 'failed');
}

/** Refunds of ours that are under way count: each is reported once more for itself. */
export function isKnownSum(refundedCents: number, refunds: readonly Refund[]): boolean {
  const known = refunds.filter(({ state }) => state === 'sent' || state === 'claimed');
  return refundedCents <= known.reduce((sum, { cents }) => sum + cents, 0);
}
