/** What organizers are owed: each organization's own part, and the published total. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { fundsStates } from '#domain/payouts/funds.ts';

/** Amounts in cents. */
const snapshot = z.object({
  /** `2026-11-27`, in UTC. */
  day: z.string(),
  root: z.string(),
  totalCents: z.number(),
  /** Ed25519, in base64. The key is its raw form in DER, also in base64. */
  signature: z.string(),
  publicKey: z.string(),
});

/** Not found unless the operator publishes it. */
export const publicFunds = endpoint({
  method: 'GET',
  path: '/api/public/funds',
  access: 'public',
  input: z.object({}),
  reply: z.object({
    /** Null until the first reading. */
    reading: z.nullable(
      z.object({
        state: z.enum(fundsStates),
        organizersCents: z.number(),
        buyersCents: z.number(),
        balanceCents: z.number(),
        readAt: z.string(),
      }),
    ),
    comparedAt: z.nullable(z.string()),
    /** Newest first. */
    snapshots: z.array(snapshot),
  }),
});

export type PublicFunds = z.infer<typeof publicFunds.reply>;

/** What happens with the amount next. */
export const owedStates = [
  'not-due',
  'due',
  'requested',
  'awaiting-account',
  'waits-for-operator',
  'waits-for-objections',
  'kept-back',
  'to-buyers',
  'none',
] as const;

export const organizationFunds = endpoint({
  method: 'GET',
  path: '/api/protected/funds',
  access: 'organizer',
  input: z.object({}),
  reply: z.object({
    /** Those with money, newest first. */
    events: z.array(
      z.object({
        eventId: z.string(),
        title: z.string(),
        timezone: z.string(),
        owedCents: z.number(),
        /** Disputed payments: paid if the disputes are won. */
        onHoldCents: z.number(),
        state: z.enum(owedStates),
        /** When a payout can be requested. */
        dueAt: z.string(),
        /** Stripe and the ledger disagree on this event. */
        differs: z.boolean(),
      }),
    ),
    /** Taken from the next payouts; negative if too much was. 0 for a member who was given chosen events. */
    debtCents: z.number(),
    totalCents: z.number(),
    comparedAt: z.nullable(z.string()),
    /** Of the newest signed total. Null unless it is published and the member sees all events. */
    signedDay: z.nullable(z.string()),
    /** Null as well if the total has nothing of the organization. */
    proof: z.nullable(
      z.extend(snapshot, {
        organizationId: z.string(),
        nonce: z.string(),
        cents: z.number(),
        path: z.array(z.object({ side: z.enum(['left', 'right']), hash: z.string(), cents: z.number() })),
      }),
    ),
  }),
});

export type OrganizationFunds = z.infer<typeof organizationFunds.reply>;
