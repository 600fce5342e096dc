/** Data export and deletion for organizers and buyers. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { emailField } from '#contract/forms/email-field.ts';
import { honeypot } from '#contract/forms/honeypot.ts';
import { passwordField } from '#contract/forms/password-field.ts';
import { messageReply } from '#contract/messages/requests.ts';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

/** Streams a file with all of the organizer's data instead of this reply. */
export const myRecordsFile = endpoint({
  method: 'GET',
  path: '/api/protected/my-records',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({}),
});

export const deleteAccountForm = z.object({
  password: passwordField.check(z.minLength(1, 'Enter your password.')),
});

export const deleteAccount = endpoint({
  method: 'POST',
  path: '/api/protected/delete-account',
  access: 'organizer',
  input: deleteAccountForm,
  reply: messageReply,
});

export const accountDeleted = 'Your account has been deleted.';
export const wrongPassword = "That's not your password.";

export type DeletionDenial =
  | 'event-open'
  | 'refund-under-way'
  | 'dispute-open'
  | 'payout-under-way'
  | 'money-owed'
  | 'not-paid-out';

export const deletionDenials: Record<DeletionDenial, string> = {
  'event-open': `One of your events isn't over, or its tickets can still be refunded, until ${SETTLEMENT_HOLD_HOURS} hours after it ends. Cancel it, or come back then.`,
  'refund-under-way': 'A refund to one of your buyers is still in progress. Please come back in a few days.',
  'dispute-open': 'A payment for your event is in dispute. Please come back once the bank decides.',
  'payout-under-way': 'A payout to you is still in progress. Please come back in a few days.',
  'money-owed': 'You still owe money from an earlier payout. Please contact us.',
  'not-paid-out': "One of your events hasn't been paid out yet. Request its payout first.",
};

export const recordsLinkForm = z.object({ email: emailField, honeypot });

export const requestRecordsLink = endpoint({
  method: 'POST',
  path: '/api/public/records-link',
  access: 'public',
  input: recordsLinkForm,
  reply: messageReply,
});

/** The same for every address, so the reply doesn't reveal who bought a ticket. */
export const recordsLinkSent = 'If we have data for this address, a link to see and delete it is on its way.';

/** Why a purchase cannot be deleted yet. */
export const retainedBecause = {
  'event-open': `Your tickets are needed until ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'refund-under-way': 'Your refund is still in progress.',
  'dispute-open': 'This payment is in dispute.',
  'payment-open': "This payment hasn't settled yet.",
};

const purchase = z.object({
  orderId: z.string(),
  eventId: z.string(),
  eventTitle: z.string(),
  boughtAt: z.nullable(z.string()),
  totalCents: z.number(),
  state: z.string(),
  tickets: z.array(
    z.object({
      ticketName: z.string(),
      confirmationNumber: z.string(),
      priceCents: z.number(),
      state: z.string(),
      scannedAt: z.nullable(z.string()),
    }),
  ),
  refunds: z.array(z.object({ cents: z.number(), state: z.string(), at: z.string() })),
  retained: z.nullable(
    z.object({
      because: z.enum(['event-open', 'refund-under-way', 'dispute-open', 'payment-open']),
      /** When it can be deleted, if known. */
      until: z.nullable(z.string()),
    }),
  ),
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

export const unknownRecordsLink = 'This link has expired. Please request a new one.';
export const recordsDeleted = 'Done. We deleted your email everywhere we could.';
export const recordsRetained =
  'We deleted your email, except where a purchase is still needed. Ask again after the dates shown.';
