/** Refund requests, and the page with their status. */
import type { RefundState } from '#contract/app/refunds.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

/** After a refund was sent. */
export const bankDelay = 'Banks take 3–7 business days to show it.';

export const freeTicket = { canceled: 'Ticket canceled', noRefund: "It was free, so there's nothing to refund." };

/** `amount` is formatted, such as `$24.00`; `when` is the formatted time of sending. */
export function refundHeadline(state: RefundState, { amount, when }: { amount: string; when: string }) {
  const headlines: Record<RefundState, { title: string; lead: string }> = {
    scheduled: { title: 'Refund requested', lead: `We'll send ${amount} back to your card after ${when}.` },
    sending: { title: 'Your refund is being sent', lead: `We're sending ${amount} to your bank.` },
    sent: {
      title: 'Your refund is on its way',
      lead: `${amount} is on its way to your card. ${bankDelay}`,
    },
    settled: {
      title: 'Refunded',
      lead: `${amount} is on its way to your card. ${bankDelay}`,
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
  refunded: 'Refunded',
  failed: 'Returned by your bank',
  refused: 'Not accepted by your bank',
  restored: 'Stopped by you',
};

export const keepTicketOffer = {
  title: 'Not you?',
  lead: 'Someone used your confirmation number. Keep your ticket and it works again right away.',
  button: 'Keep my ticket',
  busy: 'Keeping your ticket…',
};

export const refundPageMessages = {
  loading: 'Loading your refund…',
  failed: "We couldn't load your refund",
  again: 'Try again',
  toEvent: 'Back to the event',
};

export const refundAccepted = 'Your refund request has been accepted. Please allow 3-7 business days for processing.';

export const freeTicketCanceled = `${freeTicket.canceled}. ${freeTicket.noRefund}`;
/** The refund is scheduled and can still be canceled. */
export const freeTicketRefundQueued = `Cancellation requested. ${freeTicket.noRefund}`;

/** What an accepted refund means for the buyer. */
export const refundFollowUp = {
  paid: "We'll refund your card and email you. This ticket no longer works.",
  free: 'This ticket no longer works.',
};

export const ticketKept = "Your ticket is valid again. You haven't been refunded.";

export const refundErrors = {
  'refund.already-refunded': 'This ticket has already been refunded.',
  'refund.already-scanned': "This ticket was scanned at the door, so it can't be refunded.",
  'refund.ask-organizer': 'Please ask the organizer for this refund.',
  'refund.disputed': "This payment is in dispute, so the ticket can't be refunded here.",
  'refund.not-accepted': "Your bank didn't accept this refund. We've been notified, and your ticket is unchanged.",
  'refund.partly-refunded': 'This order was already partly refunded. Please contact the organizer.',
  'refund.unknown-ticket': "We can't find that code for this event.",
  'refund.void': 'This ticket is no longer valid.',
  'refund.window-closed': `Refunds close ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'refund-link.too-late': "The refund is already on its way, so it can't be undone.",
  'refund-link.unknown': "We can't find a refund for this link. Open it from the email again.",
};
