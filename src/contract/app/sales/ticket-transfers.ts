/** Tickets and orders that go to another address. */
import * as z from 'zod/mini';
import { confirmation } from '#contract/app/checkout.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { guestName } from '#contract/forms/guest-details.ts';
import { messageReply } from '#contract/message-reply.ts';

/** Of the link to an order's page, or to that of a ticket. */
const linkToken = z.string().check(z.maxLength(200));

/** What the page of a transferred ticket shows: that ticket alone. */
export const readTicket = endpoint({
  method: 'GET',
  path: '/api/public/ticket/:token',
  access: 'public',
  input: z.object({ token: linkToken }),
  reply: confirmation,
});

export const transferForm = z.object({
  email: emailField,
  /** Of the new holder, where the event asks for names. */
  name: z.optional(guestName),
});

/** Gives a ticket to another person, under a new confirmation number. */
export const transferTicket = endpoint({
  method: 'POST',
  path: '/api/public/transfer-ticket',
  access: 'public',
  input: z.extend(transferForm, {
    token: linkToken,
    /** In the order, from 1. */
    position: z.int(),
  }),
  reply: messageReply,
});

/** Refunds a ticket from the page of its order, which its payer has. Nothing else refunds a transferred one. */
export const refundTicket = endpoint({
  method: 'POST',
  path: '/api/public/refund-ticket',
  access: 'public',
  input: z.object({ token: linkToken, position: z.int() }),
  reply: requestRefund.reply,
});

export const addressForm = z.object({ email: emailField });

/** Corrects a typo, once, in the browser that paid. The reply has the order's new link. */
export const correctOwnEmail = endpoint({
  method: 'POST',
  path: '/api/public/correct-email',
  access: 'public',
  input: z.extend(addressForm, { token: linkToken }),
  reply: z.extend(messageReply, { token: z.string() }),
});

export const correctEmail = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/orders/:orderId/correct-email',
  access: 'organizer',
  input: z.extend(addressForm, { eventId: z.string(), orderId: z.uuid() }),
  reply: messageReply,
});
