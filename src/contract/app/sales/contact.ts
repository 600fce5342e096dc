/** Messages to the organizer of an event, who answers by email. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { because } from '#contract/forms/form-problem.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { someLines } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { CONTACT_TEXT_MAX } from '#domain/limits.ts';

const message = z
  .string()
  .check(
    someLines(),
    z.minLength(1, because('contact-message.missing')),
    z.maxLength(CONTACT_TEXT_MAX, because('contact-message.too-long')),
  );

/** A buyer's address is known. */
export const buyerContactForm = z.object({ message, honeypot });

export const contactForm = z.object({ email: emailField, ...buyerContactForm.shape });

export const contactOrganizer = endpoint({
  method: 'POST',
  path: '/api/public/contact-organizer',
  access: 'public',
  input: z.object({
    /** An event's id or an order's token. */
    about: z.string().check(z.maxLength(200)),
    /** Chosen by the caller, so that a repeated request is one message. */
    messageId: z.uuid(),
    /** Ignored with an order's token. */
    email: z.optional(emailField),
    ...buyerContactForm.shape,
  }),
  reply: messageReply,
});

/** What the page of the form shows. */
export interface ContactPage {
  about: string;
  eventId: string;
  title: string;
  /** Null once the organization is deleted. */
  organizationName: string | null;
  /** Of the buyer, whose order the link names. */
  email: string | null;
  /** `closed`: long after the event. `unreachable`: operators answer instead. */
  state: 'open' | 'closed' | 'unreachable';
}
