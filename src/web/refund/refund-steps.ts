import type { RefundStatus } from '#contract/app/refunds.ts';
import { refundSteps } from '#messages/refunds.ts';
import { formatShort } from '#web/ui/data/format.ts';

interface Step {
  label: string;
  note?: string | undefined;
  is: 'done' | 'failed' | 'next' | 'ahead';
}

/** Timeline of a refund in the event's time zone. */
export function stepsOf(refund: RefundStatus): Step[] {
  const { state, amount, timezone, requestedAt, sendAfter, sentAt, settledAt, endedAt } = refund;
  const done = (label: string, at: string | null): Step => ({
    label,
    note: at ? formatShort(at, timezone) : undefined,
    is: 'done',
  });
  const requested = done(refundSteps.requested, requestedAt);

  if (state === 'restored') return [requested, done(refundSteps.restored, endedAt)];
  if (state === 'refused') return [requested, { ...done(refundSteps.refused, endedAt), is: 'failed' }];
  if (amount === 0) return [requested, freeTicketStep(refund, done)];
  if (!sentAt) {
    const note = state === 'scheduled' ? refundSteps.after(formatShort(sendAfter, timezone)) : undefined;
    return [requested, { label: refundSteps.sent, note, is: 'next' }, { label: refundSteps.settled, is: 'ahead' }];
  }
  const sent = done(refundSteps.sent, sentAt);
  if (state === 'failed') return [requested, sent, { ...done(refundSteps.failed, endedAt), is: 'failed' }];
  if (settledAt) return [requested, sent, done(refundSteps.settled, settledAt)];
  return [requested, sent, { label: refundSteps.settled, note: refundSteps.settles, is: 'next' }];
}

function freeTicketStep(
  { settledAt, sendAfter, timezone }: RefundStatus,
  done: (label: string, at: string | null) => Step,
): Step {
  if (settledAt) return done(refundSteps.refunded, settledAt);
  return { label: refundSteps.refunded, note: refundSteps.after(formatShort(sendAfter, timezone)), is: 'next' };
}
