/** Messages of the refund status page. */
import { freeTicket, type RefundState } from '#contract/app/refunds.ts';

/** `amount` is formatted, such as `$24.00`; `when` is the formatted time of sending. */
export function refundHeadline(state: RefundState, { amount, when }: { amount: string; when: string }) {
  const headlines: Record<RefundState, { title: string; lead: string }> = {
    scheduled: { title: 'Refund requested', lead: `We'll send ${amount} back to your card after ${when}.` },
    sending: { title: 'Your refund is being sent', lead: `We're sending ${amount} to your bank.` },
    sent: {
      title: 'Your refund is on its way',
      lead: `${amount} is on its way to your card. Banks take 3–7 business days to show it.`,
    },
    settled: {
      title: 'Refunded',
      lead: `${amount} is on its way to your card. Banks take 3–7 business days to show it.`,
    },
    failed: {
      title: "Your refund didn't arrive",
      lead: `Your bank returned the ${amount}. It's still yours; we'll contact you.`,
    },
    refused: {
      title: "This refund didn't go through",
      lead: "Your bank didn't accept it. You haven't been refunded, and your ticket is valid again.",
    },
    restored: { title: 'You kept your ticket', lead: "It's valid. You haven't been refunded." },
  };
  return headlines[state];
}

/** `refundHeadline` for a free ticket. */
export function freeTicketHeadline({ isScheduled, when }: { isScheduled: boolean; when: string }) {
  const { canceled: title, noRefund } = freeTicket;
  return isScheduled
    ? { title: 'Refund requested', lead: `${noRefund} Your ticket will be canceled after ${when}.` }
    : { title, lead: noRefund };
}

export const refundSteps = {
  label: 'Where your refund is',
  requested: 'Requested',
  sent: 'Sent to your bank',
  /** `when` is the formatted time of sending. */
  after: (when: string) => `After ${when}`,
  settled: 'With your bank',
  settles: 'In 3–7 business days',
  refunded: 'Given back',
  failed: 'Returned by your bank',
  refused: 'Not accepted by your bank',
  restored: 'Undone by you',
};

export const keepTicketOffer = {
  title: 'Not you?',
  lead: 'Someone used your confirmation number. Keep your ticket and it works again right away.',
  button: 'Keep my ticket',
  busy: 'Keeping your ticket…',
};

export const refundPageMessages = {
  loading: 'Looking for your refund…',
  failed: "We couldn't load your refund",
  again: 'Look again',
  toEvent: 'Back to the event',
};
