/** The organizer's account with the card company, where payouts arrive. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { type PayoutDenial, SETTLEMENT_HOLD_HOURS } from '#domain/settlement.ts';

const redirect = z.object({ url: z.string() });

export const createAccountLink = endpoint({
  method: 'POST',
  path: '/api/protected/create-account-link',
  access: 'organizer',
  input: z.object({}),
  reply: redirect,
});

export const createLoginLink = endpoint({
  method: 'POST',
  path: '/api/protected/create-login-link',
  access: 'organizer',
  input: z.object({}),
  reply: redirect,
});

/** Page loads, not calls: where the card company sends the organizer after onboarding, and for a fresh link to it. */
export const onboardingReturnPath = '/profile?payouts=returned';
export const onboardingRefreshPath = '/api/protected/payout-onboarding';

export const payoutErrors = {
  'account-information-missing': 'Please complete your account information first.',
  'no-payout-account': 'Please connect Stripe first.',
};

export const requestPayout = endpoint({
  method: 'POST',
  path: '/api/protected/requestPayout',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  /** Dollars. */
  reply: z.object({ totalPayout: z.number() }),
});

export const payoutProcessed = "Payout Processed! Visit 'Stripe Dashboard' on your profile for more information.";

export const payoutDenials: Record<PayoutDenial | 'refunds-under-way' | 'books-disagree', string> = {
  'event-cancelled': "Cancelled events don't pay out.",
  'already-paid-out': 'This event was already paid out.',
  'too-early': `You can request your payout ${SETTLEMENT_HOLD_HOURS} hours after the event ends.`,
  'nothing-sold': "No tickets were sold, so there's nothing to pay out.",
  'only-free-tickets': "Only free tickets were sold, so there's nothing to pay out.",
  'all-disputed': "All of this event's sales are in dispute. You can request a payout once a bank decides.",
  'fees-exceed-sales': "Fees used up these sales, so there's nothing to pay out.",
  'refunds-under-way': "This event's refunds are still in progress. Please try again in a few minutes.",
  'books-disagree': "We're double-checking this event's sales before paying out. Please contact support.",
};

/** What the organizer is paid, line by line, in dollars. */
export const payoutStatement = z.object({
  /** Sold and not refunded, as the guest list counts them: free and disputed ones included. */
  ticketsSold: z.number(),
  /** Their prices. What is taken off, from `withheld` on, leads to `net`. */
  gross: z.number(),
  /** Tickets whose payment is disputed, and their prices: paid once the dispute is won. */
  ticketsOnHold: z.number(),
  onHold: z.number(),
  /** Sold at a price above 0 and not on hold: their number decides the fee rate. */
  paidTickets: z.number(),
  /** Such as `2.0% + $0.75`. */
  ticketFeeRate: z.string(),
  ticketFees: z.number(),
  /** 0 where it is waived, or no paid ticket is sold. */
  processingFee: z.number(),
  /** What buyers got back; no part of the gross. */
  refunded: z.number(),
  /** What buyers who keep their tickets got back all the same. */
  deducted: z.number(),
  /** Kept against what the organizer owes from earlier payouts. */
  debtDeducted: z.number(),
  net: z.number(),
});

export type PayoutStatement = z.infer<typeof payoutStatement>;

/** A further payout of an event: what a dispute had held back, or taken away, is the organizer's again. */
export const furtherPayout = z.object({
  state: z.enum(['requested', 'awaiting-funds', 'awaiting-account', 'paid']),
  requestedAt: z.string(),
  paidAt: z.nullable(z.string()),
  statement: payoutStatement,
});
