/** For buyers who can't find the email with their tickets. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { messageReply } from '#contract/message-reply.ts';

export const findTicketsForm = z.object({ email: emailField, honeypot });

/** Emails the links of the address's orders for upcoming events. Answers the same for every address. */
export const emailMyTickets = endpoint({
  method: 'POST',
  path: '/api/public/email-my-tickets',
  access: 'public',
  input: findTicketsForm,
  reply: messageReply,
});
