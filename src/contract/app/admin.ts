/** The operator's view. Every figure is checked on the server; the page's own knowledge opens nothing. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';

export const adminOverview = endpoint({
  method: 'GET',
  path: '/api/protected/admin/overview',
  access: 'admin',
  input: z.object({}),
  reply: z.object({
    organizers: z.number(),
    activeEvents: z.number(),
    ticketsSold: z.number(),
    /** Dollars. */
    gross: z.number(),
    /** What needs a person, by kind: zero everywhere is health. */
    actionItems: z.object({
      orders: z.number(),
      webhookEvents: z.number(),
      emails: z.number(),
      refunds: z.number(),
      payouts: z.number(),
      transferReversals: z.number(),
      disputes: z.number(),
      discrepancies: z.number(),
      jobs: z.number(),
    }),
    /** Cents by which the books do not sum to zero. */
    ledgerDiscrepancyCents: z.number(),
  }),
});

/** Where the money is, in cents, by the books and by the card company. */
export const adminMoney = endpoint({
  method: 'GET',
  path: '/api/protected/admin/money',
  access: 'admin',
  input: z.object({}),
  reply: z.object({
    /** What the books say is at the card company, and what its own movements add up to. */
    clearing: z.number(),
    provider: z.number(),
    /** Movements there that are none of the product's, such as payouts to our bank. */
    providerOther: z.number(),
    organizers: z.number(),
    buyers: z.number(),
    receivables: z.number(),
    disputed: z.number(),
    platformFees: z.number(),
    cardFees: z.number(),
    disputeCosts: z.number(),
    writeOffs: z.number(),
    /** Platform fees less card fees, dispute costs and write-offs. */
    margin: z.number(),
    reconciledAt: z.nullable(z.string()),
    openDiscrepancies: z.number(),
  }),
});

export const moneyMessages = {
  agree: 'Our ledger matches Stripe',
  disagree: "Our ledger doesn't match Stripe",
  behind: 'Reconciling…',
  never: 'Not reconciled yet.',
};

export const welcomeAdmin = 'Welcome Admin!';
