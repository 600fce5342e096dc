/** Refund requests by buyers, and their status. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { counted, formatCount } from '#contract/messages/counted.ts';
import { messageReply } from '#contract/messages/requests.ts';
import type { RefundDenial } from '#domain/settlement.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

const spamDetected = 'Spam submission detected.';

export const refundForm = z.object({
  honeypot: z.optional(z.string().check(z.maxLength(0, spamDetected))),
  confirmationCode: z.string().check(z.trim(), z.regex(/^\d{10}$/, 'Confirmation code must be exactly 10 digits.')),
});

export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/public/request-refund',
  access: 'public',
  input: z.object({ ...refundForm.shape, eventId: z.string() }),
  /** `amount`: dollars refunded, 0 for a free ticket. */
  reply: z.object({ ...messageReply.shape, amount: z.number() }),
});

export const refundAccepted = 'Your refund request has been accepted. Please allow 3-7 business days for processing.';

export const freeTicket = { canceled: 'Ticket canceled', noRefund: "It was free, so there's nothing to refund." };
export const freeTicketCanceled = `${freeTicket.canceled}. ${freeTicket.noRefund}`;
/** The refund is scheduled and can still be canceled. */
export const freeTicketRefundQueued = `Cancellation requested. ${freeTicket.noRefund}`;

/** What an accepted refund means for the buyer. */
export const refundFollowUp = {
  paid: "We'll refund your card and email you. This ticket no longer works.",
  free: 'This ticket no longer works.',
};

export const refundErrors: Record<
  RefundDenial | 'unknown-ticket' | 'disputed' | 'partly-refunded' | 'not-accepted',
  string
> = {
  'unknown-ticket': "We can't find that code for this event.",
  'already-refunded': 'This ticket has already been refunded.',
  'already-scanned': "This ticket was used at the door, so it can't be refunded.",
  void: 'This ticket is no longer valid.',
  'window-closed': `Refunds close ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  disputed: "The payment for this ticket is in dispute with the bank, so it can't be refunded here.",
  'partly-refunded': 'This order was already partly refunded. Please contact the organizer.',
  'not-accepted': "Your bank didn't accept this refund. We've been notified, and your ticket is unchanged.",
};

/** `scheduled`: not sent yet, and can still be canceled. `refused`, `restored`: the ticket is valid again. */
const refundState = z.enum(['scheduled', 'sending', 'sent', 'settled', 'failed', 'refused', 'restored']);

export type RefundState = z.infer<typeof refundState>;

const ofLink = z.object({ eventId: z.string(), token: z.string().check(z.maxLength(100)) });

/** Opened by the link in a refund's email. The link's token is the authorization. */
export const refundStatus = endpoint({
  method: 'GET',
  path: '/api/public/refund/:eventId/:token',
  access: 'public',
  input: ofLink,
  reply: z.object({
    state: refundState,
    eventTitle: z.string(),
    timezone: z.string(),
    ticketName: z.string(),
    confirmationNumber: z.string(),
    /** Dollars. */
    amount: z.number(),
    /** Timestamps in UTC. */
    requestedAt: z.string(),
    sendAfter: z.string(),
    sentAt: z.nullable(z.string()),
    settledAt: z.nullable(z.string()),
    /** When the refund failed, was declined or was canceled. */
    endedAt: z.nullable(z.string()),
    isCancelable: z.boolean(),
  }),
});

export type RefundStatus = z.infer<(typeof refundStatus)['reply']>;

/** Cancels the refund. Never a GET link, because mail scanners follow links. */
export const keepTicket = endpoint({
  method: 'POST',
  path: '/api/public/keep-ticket',
  access: 'public',
  input: ofLink,
  reply: messageReply,
});

export const ticketKept = "Your ticket is valid again. You haven't been refunded.";

export const refundLinkErrors = {
  unknown: "We can't find a refund for this link. Open it from the email again.",
  'too-late': "The refund is already on its way, so it can't be undone.",
};

export interface RefundProgress {
  refunds: number;
  refunded: number;
  failed: number;
}

/** Refund progress of a cancelled event, for its organizer. */
export function cancellationMessages({ refunds, refunded, failed }: RefundProgress): string {
  if (refunds === 0) return 'Cancelled. Nothing to refund.';
  if (refunded >= refunds) return `Cancelled. ${counted(refunds, 'ticket')} refunded.`;
  const done = `Cancelled. ${formatCount(refunded)} of ${counted(refunds, 'refund')} done`;
  return failed === 0 ? `${done}.` : `${done}, ${formatCount(failed)} failed. We're on it.`;
}
