/** One's own records: what is kept about an organizer or a buyer, as a file, and gone. */
import * as z from 'zod/mini';
import { SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';
import { emailField } from './email-field.ts';
import { endpoint } from './endpoint.ts';
import { honeypot } from './honeypot.ts';
import { passwordField } from './password-field.ts';
import { sentence } from './sentences.ts';

/** Answers a file, not this reply: everything that is kept about the organizer, piece by piece. */
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
  reply: sentence,
});

export const accountDeleted = 'Your account is deleted.';
export const wrongPassword = 'This is not your password.';

export type DeletionDenial =
  | 'event-open'
  | 'refund-under-way'
  | 'dispute-open'
  | 'payout-under-way'
  | 'money-owed'
  | 'not-paid-out';

export const deletionDenials: Record<DeletionDenial, string> = {
  'event-open': `An event of yours is not over, or its tickets can still be given back, until ${SETTLEMENT_HOLD_HOURS} hours after its end. Cancel it, or come back then.`,
  'refund-under-way': 'A refund to a buyer of yours is still under way. Please come back in a few days.',
  'dispute-open': "A buyer's bank is disputing a payment for your event. Please come back when that is decided.",
  'payout-under-way': 'A payout to you is still under way. Please come back in a few days.',
  'money-owed': 'Money of a payout has to come back from you, or is still owed. Please write to us.',
  'not-paid-out': 'An event of yours was not paid out yet. Request its payout first.',
};

export const recordsLinkForm = z.object({ email: emailField, honeypot });

export const requestRecordsLink = endpoint({
  method: 'POST',
  path: '/api/public/records-link',
  access: 'public',
  input: recordsLinkForm,
  reply: sentence,
});

/** The same for every address: the answer tells nobody who bought a ticket. */
export const recordsLinkSent = 'If we keep anything about this address, we have sent it a link to see and delete it.';

/** Why a purchase is not deleted yet. */
export const retainedBecause = {
  'event-open': `Your tickets are needed until ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'refund-under-way': 'Your refund is still under way.',
  'dispute-open': 'Your bank is disputing this payment.',
  'payment-open': 'This payment is not settled yet.',
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
  kept: z.nullable(
    z.object({
      because: z.enum(['event-open', 'refund-under-way', 'dispute-open', 'payment-open']),
      /** From when on it can be deleted, where that is known. */
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
    /** An organizer has this address, too; what is kept of the account is asked for in the profile. */
    hasAccount: z.boolean(),
    purchases: z.array(purchase),
    mails: z.array(z.object({ kind: z.string(), at: z.string() })),
    /** False: there is more than fits here. All of it is deleted together. */
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
    /** Purchases that are needed a while longer. */
    kept: z.number(),
  }),
});

export const unknownRecordsLink = 'This link is not valid or has expired. Please ask for a new one.';
export const recordsDeleted = 'Done. Your address is deleted from everything that could be deleted.';
export const recordsRetained =
  'Your address is deleted, except where a purchase is still needed. Ask again after the dates shown.';
