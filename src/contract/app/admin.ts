/** The admin dashboard. The server authorizes every call, whatever the page shows. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { messageReply } from '#contract/message-reply.ts';

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
    /** Open action items by kind. All zero is the healthy state. */
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
      checkIns: z.number(),
    }),
    /** Sum of all ledger entries, in cents. Anything but zero is an error. */
    ledgerDiscrepancyCents: z.number(),
  }),
});

/** Balances in cents, from the ledger and from Stripe. */
export const adminMoney = endpoint({
  method: 'GET',
  path: '/api/protected/admin/money',
  access: 'admin',
  input: z.object({}),
  reply: z.object({
    /** The Stripe balance according to the ledger, and according to Stripe's balance transactions. */
    clearing: z.number(),
    provider: z.number(),
    /** Balance transactions made outside the product, such as payouts to our bank. */
    providerOther: z.number(),
    organizers: z.number(),
    buyers: z.number(),
    receivables: z.number(),
    disputed: z.number(),
    platformFees: z.number(),
    cardFees: z.number(),
    disputeCosts: z.number(),
    writeOffs: z.number(),
    /** Platform fees minus card fees, dispute costs and write-offs. */
    margin: z.number(),
    reconciledAt: z.nullable(z.string()),
    openDiscrepancies: z.number(),
  }),
});

const openDispute = z.object({
  disputeId: z.string(),
  eventId: z.string(),
  title: z.string(),
  organization: z.nullable(z.string()),
  orderId: z.string(),
  buyerEmail: z.nullable(z.string()),
  cents: z.int(),
  /** Stripe's code, such as `fraudulent`. */
  reason: z.string(),
  /** The bank asks before it disputes; no money has moved. */
  isInquiry: z.boolean(),
  /** Until when Stripe accepts evidence; null if Stripe names no time. */
  dueAt: z.nullable(z.string()),
  /** When its evidence was sent to Stripe. */
  evidenceSentAt: z.nullable(z.string()),
  /** The dispute in Stripe's dashboard. */
  stripeUrl: z.string(),
});

export type OpenDispute = z.infer<typeof openDispute>;

const movedEvent = z.object({
  eventId: z.string(),
  title: z.string(),
  organization: z.nullable(z.string()),
  timezone: z.string(),
  /** The start when half of the tickets were sold, and now. */
  startedAt: z.string(),
  startsAt: z.string(),
  movedAt: z.string(),
});

/** Events whose start moved after half of their tickets were sold, until they are settled. Last moved first; `total` counts all. */
export const adminMovedEvents = endpoint({
  method: 'GET',
  path: '/api/protected/admin/moved-events',
  access: 'admin',
  input: z.object({}),
  reply: z.object({ events: z.array(movedEvent), total: z.number() }),
});

/** What is due first comes first; `total` counts all. */
export const adminDisputes = endpoint({
  method: 'GET',
  path: '/api/protected/admin/disputes',
  access: 'admin',
  input: z.object({}),
  reply: z.object({ disputes: z.array(openDispute), total: z.number() }),
});

const ofDispute = z.object({ disputeId: z.uuid() });

/** The evidence for a dispute as a PDF. */
export const adminEvidence = endpoint({
  method: 'GET',
  path: '/api/protected/admin/evidence.pdf',
  access: 'admin',
  input: ofDispute,
  reply: z.string(),
});

/** Once: a repeated request is denied. */
export const sendEvidence = endpoint({
  method: 'POST',
  path: '/api/protected/admin/send-evidence',
  access: 'admin',
  input: ofDispute,
  reply: messageReply,
});
