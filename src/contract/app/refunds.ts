/** Refund requests by buyers, and their status. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { messageReply } from '#contract/message-reply.ts';

export const refundForm = z.object({
  honeypot: z.optional(z.string().check(z.maxLength(0, because('honeypot.filled')))),
  confirmationCode: z.string().check(z.trim(), z.regex(/^\d{10}$/, because('confirmation-code.invalid'))),
});

export const requestRefund = endpoint({
  method: 'POST',
  path: '/api/public/request-refund',
  access: 'public',
  input: z.object({ ...refundForm.shape, eventId: z.string() }),
  /** `amount`: dollars refunded, 0 for a free ticket. */
  reply: z.object({ ...messageReply.shape, amount: z.number() }),
});

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
    /** Null once the ticket is transferred. */
    confirmationNumber: z.nullable(z.string()),
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
