/** Data export and deletion for organizers and buyers. */
import * as z from 'zod/mini';
import { shownAnswers } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { ownPasswordForm } from '#contract/forms/own-password.ts';
import { messageReply } from '#contract/message-reply.ts';

/** Streams a file with all of the organizer's data instead of this reply. */
export const myRecordsFile = endpoint({
  method: 'GET',
  path: '/api/protected/my-records',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({}),
});

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/protected/delete-account',
  access: 'organizer',
  input: ownPasswordForm,
  reply: messageReply,
});

/** The session then acts for another organization of the caller. */
export const deleteOrganization = endpoint({
  method: 'POST',
  path: '/api/protected/delete-organization',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

export type DeletionDenial =
  | 'event-open'
  | 'refund-under-way'
  | 'dispute-open'
  | 'payout-under-way'
  | 'money-owed'
  | 'not-paid-out';

export const recordsLinkForm = z.object({ email: emailField, honeypot });

export const requestRecordsLink = endpoint({
  method: 'POST',
  path: '/api/public/records-link',
  access: 'public',
  input: recordsLinkForm,
  reply: messageReply,
});

const retained = z.nullable(
  z.object({
    because: z.enum(['event-open', 'refund-under-way', 'dispute-open', 'payment-open']),
    /** When it can be deleted, if known. */
    until: z.nullable(z.string()),
  }),
);

/** That another person paid for. */
const heldTicket = z.object({
  ticketId: z.string(),
  eventTitle: z.string(),
  ticketName: z.string(),
  confirmationNumber: z.string(),
  state: z.string(),
  scannedAt: z.nullable(z.string()),
  name: z.nullable(z.string()),
  retained,
});

const purchase = z.object({
  orderId: z.string(),
  eventId: z.string(),
  eventTitle: z.string(),
  boughtAt: z.nullable(z.string()),
  /** As Stripe reported it. */
  buyerName: z.nullable(z.string()),
  totalCents: z.number(),
  state: z.string(),
  tickets: z.array(
    z.object({
      ticketName: z.string(),
      /** Null once the ticket is transferred. */
      confirmationNumber: z.nullable(z.string()),
      priceCents: z.number(),
      state: z.string(),
      scannedAt: z.nullable(z.string()),
    }),
  ),
  refunds: z.array(z.object({ cents: z.number(), state: z.string(), at: z.string() })),
  /** What the buyer said about the order and its tickets. */
  guests: z.array(
    z.object({
      position: z.int(),
      name: z.nullable(z.string()),
      answers: shownAnswers,
      /** What the organizer wanted the door to know. */
      doorNote: z.optional(z.string()),
    }),
  ),
  retained,
});

const ofLink = z.object({ token: z.string().check(z.maxLength(100)) });

export const myRecords = endpoint({
  method: 'POST',
  path: '/api/public/my-records',
  access: 'public',
  input: ofLink,
  reply: z.object({
    email: z.string(),
    linkExpiresAt: z.string(),
    /** The address also belongs to an organizer, whose data is exported from the profile. */
    hasAccount: z.boolean(),
    purchases: z.array(purchase),
    heldTickets: z.array(heldTicket),
    emails: z.array(z.object({ kind: z.string(), at: z.string() })),
    /** False if the lists are truncated. Deletion covers everything. */
    isWhole: z.boolean(),
  }),
});

export const deleteMyRecords = endpoint({
  method: 'POST',
  path: '/api/public/delete-my-records',
  access: 'public',
  input: ofLink,
  reply: z.object({
    msg: z.string(),
    deleted: z.number(),
    /** Purchases that cannot be deleted yet. */
    retained: z.number(),
  }),
});
