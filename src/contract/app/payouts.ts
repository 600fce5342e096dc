/** Payouts, and the connected Stripe account that receives them. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';
import type { HeldKind } from '#domain/payouts/brakes.ts';

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

/** Who is paid, and where. Null where Stripe doesn't say. */
export const payoutAccountHolder = endpoint({
  method: 'GET',
  path: '/api/protected/payout-account',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({ name: z.nullable(z.string()), bankLast4: z.nullable(z.string()) }),
});

/** Payouts wait for it after the password was reset by email. */
export const confirmPayoutAccount = endpoint({
  method: 'POST',
  path: '/api/protected/confirm-payout-account',
  access: 'organizer',
  input: z.object({}),
  reply: messageReply,
});

/** Payouts are requested for the organization, each as soon as it can be. */
export const setAutomaticPayouts = endpoint({
  method: 'POST',
  path: '/api/protected/automatic-payouts',
  access: 'organizer',
  input: z.object({ isOn: z.boolean() }),
  reply: messageReply,
});

/** Stripe redirects the organizer here after onboarding, and to the second path if the onboarding link has expired. */
export const onboardingReturnPath = '/profile?payouts=returned';
export const onboardingRefreshPath = '/api/protected/payout-onboarding';

export const requestPayout = endpoint({
  method: 'POST',
  path: '/api/protected/requestPayout',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  /** Dollars. */
  reply: z.object({ totalPayout: z.number() }),
});

const heldKind = z.enum(['reserve', 'rest'] satisfies HeldKind[]);

/** An itemized payout, in dollars. */
export const payoutStatement = z.object({
  /** Sold and not refunded, including free and disputed tickets, as in the guest list. */
  ticketsSold: z.number(),
  /** Sum of their prices. Subtracting the amounts below yields `net`. */
  gross: z.number(),
  /** Disputed tickets and the sum of their prices, which is paid if the dispute is won. */
  ticketsOnHold: z.number(),
  onHold: z.number(),
  /** Sold at a price above 0 and not on hold. Determines the fee rate. */
  paidTickets: z.number(),
  /** For example `2.0% + $0.75`. */
  ticketFeeRate: z.string(),
  ticketFees: z.number(),
  /** 0 if waived, or if no paid ticket is sold. */
  processingFee: z.number(),
  /** Refunds of tickets. Not part of the gross. */
  refunded: z.number(),
  /** What promo codes took off the prices of sold tickets. Not part of the gross, which has the prices paid. */
  discounts: z.number(),
  /** Partial refunds and lost disputes of buyers who keep their tickets. */
  deducted: z.number(),
  /** Stripe's fees on refunds. 0 if the event's terms leave them to the platform. */
  refundCosts: z.number(),
  /** Applied to the organizer's debt from earlier payouts. */
  debtDeducted: z.number(),
  /** Parts that follow later as additional payouts. */
  held: z.array(z.object({ kind: heldKind, amount: z.number(), until: z.string() })),
  /** What an additional payout pays, if an earlier payout held it back; otherwise a dispute did. */
  released: z.nullable(heldKind),
  net: z.number(),
});

export type PayoutStatement = z.infer<typeof payoutStatement>;

/** An additional payout: money that an earlier one held back, or that a dispute had put on hold or reversed. */
export const furtherPayout = z.object({
  state: z.enum(['requested', 'awaiting-funds', 'awaiting-account', 'paid']),
  requestedAt: z.string(),
  paidAt: z.nullable(z.string()),
  statement: payoutStatement,
});
