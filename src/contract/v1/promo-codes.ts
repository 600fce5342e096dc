import * as z from 'zod/mini';
import { PROMO_KINDS } from '#domain/sales/promo-codes.ts';
import { anyInstant, cents, centsToSet, instant, resource, v1Call } from './v1-call.ts';

const amountOf = 'US cents: off each ticket with `amount`, the price of each ticket with `fixed`.';
const typesOf = 'The ticket types that it is for. Null: all that it can be for.';

const promoCode = resource(
  'PromoCode',
  z.object({
    id: z.string(),
    event_id: z.string(),
    code: z.string(),
    kind: z.enum(PROMO_KINDS).check(z.describe('`unlock` only shows hidden ticket types.')),
    percent: z.nullable(z.int()).check(z.describe('Off each ticket, with `percent`.')),
    amount_cents: z.nullable(cents()).check(z.describe(amountOf)),
    ticket_type_ids: z.nullable(z.array(z.string())).check(z.describe(typesOf)),
    max_uses: z.nullable(z.int()).check(z.describe('Tickets of all orders.')),
    uses: z.int().check(z.describe('Tickets that are sold or being bought with it.')),
    max_per_order: z.nullable(z.int()),
    valid_from: z.nullable(instant()),
    valid_until: z.nullable(instant()),
    is_ended: z.boolean(),
    discount_given_cents: cents().check(z.describe('US cents. Refunded tickets are left out.')),
  }),
);

const always = { code: z.string(), kind: z.enum(PROMO_KINDS) };

const sometimes = {
  percent: z.optional(z.nullable(z.int())).check(z.describe('Off each ticket, with `percent`.')),
  amount_cents: z.optional(z.nullable(centsToSet())).check(z.describe(amountOf)),
  ticket_type_ids: z.optional(z.nullable(z.array(z.string()))).check(z.describe(typesOf)),
  max_uses: z.optional(z.nullable(z.int())).check(z.describe('Tickets of all orders.')),
  max_per_order: z.optional(z.nullable(z.int())),
  valid_from: z.optional(z.nullable(anyInstant())),
  valid_until: z.optional(z.nullable(anyInstant())),
};

const editErrors = [
  'edit.event-cancelled',
  'edit.event-paid-out',
  'event.not-found',
  'org.suspended',
  'promo.amount-too-high',
  'promo.code-taken',
  'promo.nothing-hidden',
  'promo.nothing-to-discount',
  'promo.unknown-type',
] as const;

export const listPromoCodes = v1Call({
  method: 'GET',
  path: '/api/v1/events/:event_id/promo_codes',
  name: 'listPromoCodes',
  summary: "An event's promo codes, those that have ended last. Each is worth money, so this needs the scope to write",
  scope: 'events:write',
  input: z.strictObject({ event_id: z.string() }),
  reply: resource('PromoCodeList', z.object({ data: z.array(promoCode) })),
  errors: ['event.not-found'],
});

export const createPromoCode = v1Call({
  method: 'POST',
  path: '/api/v1/events/:event_id/promo_codes',
  name: 'createPromoCode',
  summary: 'Adds a promo code',
  scope: 'events:write',
  input: z.strictObject({ event_id: z.string(), ...always, ...sometimes }),
  reply: promoCode,
  errors: [...editErrors, 'promo.too-many'],
  example: { code: 'BRASS20', kind: 'percent', percent: 20, max_uses: 50 },
});

export const updatePromoCode = v1Call({
  method: 'PATCH',
  path: '/api/v1/events/:event_id/promo_codes/:promo_code_id',
  name: 'updatePromoCode',
  summary: 'Changes the fields that are sent. A code that was used keeps its kind, its value and its ticket types',
  scope: 'events:write',
  input: z.strictObject({
    event_id: z.string(),
    promo_code_id: z.string(),
    ...z.partial(z.object(always)).shape,
    ...sometimes,
    is_ended: z.optional(z.literal(true)).check(z.describe('Ends it, for good.')),
  }),
  reply: promoCode,
  errors: [...editErrors, 'promo.already-used', 'promo.below-uses', 'promo.ended', 'promo.not-found'],
  example: { max_uses: 100 },
});
