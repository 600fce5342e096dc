/** Refund progress of a cancelled event, for its organizer. */
import { formatCount, plural, TICKETS } from '#messages/format.ts';

export interface RefundProgress {
  refunds: number;
  refunded: number;
  failed: number;
}

export function cancellationMessages({ refunds, refunded, failed }: RefundProgress): string {
  if (refunds === 0) return 'Cancelled. Nothing to refund.';
  if (refunded >= refunds) return `Cancelled. ${plural(refunds, TICKETS)} refunded.`;
  const done = `Cancelled. ${formatCount(refunded)} of ${plural(refunds, { one: '# refund', other: '# refunds' })} done`;
  return failed === 0 ? `${done}.` : `${done}, ${formatCount(failed)} failed. We're on it.`;
}
