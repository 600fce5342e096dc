/** Promo codes: what organizers set up, and what buyers enter. */
import * as z from 'zod/mini';
import { typedPromoCode } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { promoCodeForm } from '#contract/forms/promo-code-form.ts';
import { publicTicketType } from '#contract/forms/ticket-types.ts';
import { messageReply } from '#contract/message-reply.ts';
import { PROMO_KINDS } from '#domain/sales/promo-codes.ts';

/** What a code changes for a buyer. It reserves nothing. */
export const applyPromoCode = endpoint({
  method: 'POST',
  path: '/api/public/apply-promo-code',
  access: 'public',
  input: z.object({ eventId: z.string(), code: typedPromoCode }),
  reply: z.object({
    code: z.string(),
    promoCodeId: z.string(),
    kind: z.enum(PROMO_KINDS),
    /** As in `PromoTerms`: hundredths of a percent, or cents. */
    value: z.int(),
    /** Discounted or unlocked tickets: over all orders, and in each. Null without a limit. */
    usesLeft: z.nullable(z.int()),
    maxPerOrder: z.nullable(z.int()),
    /** The types whose price it lowers, or that are sold only with it. */
    tickets: z.array(publicTicketType),
  }),
});

export type AppliedPromoCode = z.infer<(typeof applyPromoCode)['reply']>;

const ownPromoCode = z.object({
  promoCodeId: z.string(),
  code: z.string(),
  kind: z.enum(PROMO_KINDS),
  /** Percent, or dollars; 0 for a code that only unlocks. */
  value: z.number(),
  /** Null: all that it can apply to. */
  ticketIds: z.nullable(z.array(z.string())),
  maxUses: z.nullable(z.int()),
  /** Tickets that are sold or being bought with it. */
  uses: z.int(),
  maxPerOrder: z.nullable(z.int()),
  validFrom: z.nullable(z.string()),
  validUntil: z.nullable(z.string()),
  isEnded: z.boolean(),
  /** Dollars that buyers of its tickets paid less, refunded ones aside. */
  discountGiven: z.number(),
});

export type OwnPromoCode = z.infer<typeof ownPromoCode>;

/** Those that have not been ended first, each group newest first. */
export const promoCodes = endpoint({
  method: 'GET',
  path: '/api/protected/event/:eventId/promo-codes',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({ promoCodes: z.array(ownPromoCode) }),
});

export const addPromoCode = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/promo-codes',
  access: 'organizer',
  input: z.safeExtend(promoCodeForm, { eventId: z.string() }),
  reply: messageReply,
});

/** A code that tickets have keeps its kind, its value and its ticket types. */
export const editPromoCode = endpoint({
  method: 'PATCH',
  path: '/api/protected/event/:eventId/promo-codes/:promoCodeId',
  access: 'organizer',
  input: z.safeExtend(promoCodeForm, { eventId: z.string(), promoCodeId: z.string() }),
  reply: messageReply,
});

/** It can be used no more. Tickets that have it keep their price. */
export const endPromoCode = endpoint({
  method: 'POST',
  path: '/api/protected/event/:eventId/promo-codes/:promoCodeId/end',
  access: 'organizer',
  input: z.object({ eventId: z.string(), promoCodeId: z.string() }),
  reply: messageReply,
});
