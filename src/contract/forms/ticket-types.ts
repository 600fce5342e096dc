/** Ticket types: as organizers enter them, and as replies show them. */
import * as z from 'zod/mini';
import {
  characterCount,
  ORDER_TICKETS_MAX,
  TICKET_DESCRIPTION_MAX,
  TICKET_NAME_MAX,
  TICKET_PRICE_MAX_CENTS,
  TICKET_PRICE_MIN_CENTS,
  TICKET_QUANTITY_MAX,
  TICKET_TYPES_MAX,
} from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { nameKey } from '#domain/name-key.ts';
import { CLOSED_REASONS, isSoldOut, type QuantityLimits } from '#domain/order.ts';
import { ACCESS_KINDS } from '#domain/sales/access.ts';
import { because, type FormReason } from './form-problem.ts';
import { typedCount } from './typed-count.ts';
import { oneLine, someLines } from './typed-text.ts';

/** Public view of a ticket type. Money on the wire is in dollars. */
const ticketType = z.object({
  ticketId: z.string(),
  ticketName: z.string(),
  ticketDescription: z.string(),
  ticketPrice: z.number(),
  ticketQuantity: z.number(),
  /** Tickets left: exact below 20, then rounded down. */
  available: z.number(),
  /** When this type sells, if not as long as the event does. */
  salesFrom: z.optional(z.string()),
  salesUntil: z.optional(z.string()),
  /** How many of it one order takes, if that is limited. */
  minPerOrder: z.optional(z.int()),
  maxPerOrder: z.optional(z.int()),
  /** The id of the type that this one opens after. */
  opensAfter: z.optional(z.string()),
  /** Sold only with a promo code that unlocks it. */
  isHidden: z.optional(z.boolean()),
  /** Buyers name the price of a ticket, which is at least `ticketPrice`. */
  hasNamedPrice: z.optional(z.boolean()),
  suggestedPrice: z.optional(z.number()),
  /** Handed out at the door; doesn't admit. */
  isAddOn: z.optional(z.boolean()),
  /** For people who need access, alone or with a companion. */
  access: z.optional(z.enum(ACCESS_KINDS)),
});

/** What buyers see: it says why a type isn't on sale at the moment. */
export const publicTicketType = z.extend(ticketType, { closed: z.optional(z.enum(CLOSED_REASONS)) });

/** The organizer's view, with exact counts. */
export const ownTicketType = z.extend(ticketType, {
  /** How many can be bought: neither sold nor reserved, nor taken by others of a shared capacity. */
  available: z.number(),
  /** Sold or being bought. */
  reserved: z.number(),
  /** Sold and not refunded. */
  ticketsSold: z.number(),
});

const typed = z.optional(z.union([z.string(), z.number()]));

const ticketTypeForm = z.object({
  /** Set when the row edits an existing ticket type. */
  ticketId: z.optional(z.string()),
  ticketName: z.string().check(oneLine()),
  ticketDescription: z.string().check(someLines()),
  ticketPrice: z.union([z.string(), z.number()]),
  ticketQuantity: z.union([z.string(), z.number()]),
  /** These are optional, and blank for none. An edit keeps those that it omits. */
  salesFrom: z.optional(z.string()),
  salesUntil: z.optional(z.string()),
  minPerOrder: typed,
  maxPerOrder: typed,
  /** The id or the name of another row. */
  opensAfter: z.optional(z.string()),
  isHidden: z.optional(z.boolean()),
  hasNamedPrice: z.optional(z.boolean()),
  suggestedPrice: typed,
  isAddOn: z.optional(z.boolean()),
  access: z.optional(z.enum(['', ...ACCESS_KINDS])),
});

export type TicketRow = z.infer<typeof ticketTypeForm>;

/** A row that sets none of the optional fields. */
export const BLANK_ROW = {
  salesFrom: '',
  salesUntil: '',
  minPerOrder: '',
  maxPerOrder: '',
  opensAfter: '',
  isHidden: false,
  hasNamedPrice: false,
  suggestedPrice: '',
  isAddOn: false,
  access: '',
} as const satisfies Required<
  Omit<TicketRow, 'ticketId' | 'ticketName' | 'ticketDescription' | 'ticketPrice' | 'ticketQuantity'>
>;

/** Tickets of all types in one order; blank for as many as an order can have. */
export const orderMax = typed.check(
  z.refine((value) => perOrderOf(value) !== undefined, because('max-per-order.invalid')),
);

/** Validated as a list, because names must differ between the rows. */
export const ticketRows = z.array(ticketTypeForm).check((rows) => {
  if (rows.value.length === 0) report(rows, [], 'tickets.missing');
  if (rows.value.length > TICKET_TYPES_MAX) report(rows, [], 'tickets.too-many');
  if (rows.value.length > 0 && rows.value.every(({ isAddOn }) => isAddOn)) report(rows, [], 'tickets.only-add-ons');

  const names = new Set<string>();
  rows.value.forEach((row, index) => {
    const name = row.ticketName.trim();
    if (!name) report(rows, [index, 'ticketName'], 'ticket-name.missing');
    if (characterCount(name) > TICKET_NAME_MAX) report(rows, [index, 'ticketName'], 'ticket-name.too-long');
    if (name && names.has(nameKey(name))) report(rows, [index, 'ticketName'], 'ticket-name.taken');
    names.add(nameKey(name));

    if (!row.ticketDescription.trim()) report(rows, [index, 'ticketDescription'], 'ticket-description.missing');
    if (characterCount(row.ticketDescription.trim()) > TICKET_DESCRIPTION_MAX)
      report(rows, [index, 'ticketDescription'], 'ticket-description.too-long');

    const problem = priceProblem(row.ticketPrice);
    if (problem) report(rows, [index, 'ticketPrice'], problem);

    const suggested = suggestedCentsOf(row);
    if (suggested === undefined) report(rows, [index, 'suggestedPrice'], 'ticket-suggested.invalid');
    if (typeof suggested === 'number' && suggested < (centsOf(row.ticketPrice) ?? 0))
      report(rows, [index, 'suggestedPrice'], 'ticket-suggested.below-minimum');

    const quantity = quantityOf(row.ticketQuantity);
    if (quantity === null) report(rows, [index, 'ticketQuantity'], 'ticket-quantity.invalid');

    for (const field of LIMITS)
      if (perOrderOf(row[field]) === undefined) report(rows, [index, field], INVALID_LIMITS[field]);
    const limits = limitsOf(row);
    const conflict =
      limitProblem(limits, ORDER_TICKETS_MAX, 'ticket-min.above-max') ??
      limitProblem(limits, quantity ?? ORDER_TICKETS_MAX, 'ticket-min.above-quantity');
    if (conflict) report(rows, [index, conflict.field], conflict.reason);

    const awaited = rowBefore(rows.value, row);
    if (typeof awaited === 'number' && rows.value[awaited]?.isHidden === true)
      report(rows, [index, 'opensAfter'], 'ticket-opens-after.hidden');
    const chain = chainFrom(rows.value, index);
    if (chain === null) report(rows, [index, 'opensAfter'], 'ticket-opens-after.unknown');
    if (chain?.includes(index)) report(rows, [index, 'opensAfter'], 'ticket-opens-after.cycle');
    else if (chain && chain.length >= CHAIN_MAX) report(rows, [index, 'opensAfter'], 'ticket-opens-after.too-long');
  });
});

function priceProblem(price: string | number): FormReason | null {
  const cents = centsOf(price);
  if (cents === null) return 'ticket-price.not-a-number';
  if (cents > TICKET_PRICE_MAX_CENTS) return 'ticket-price.too-high';
  if (cents > 0 && cents < TICKET_PRICE_MIN_CENTS) return 'ticket-price.too-low';
  return null;
}

/** Null without a suggestion, undefined if it is no price. Only a price that buyers name has one. */
export function suggestedCentsOf({
  hasNamedPrice,
  suggestedPrice = '',
}: Pick<TicketRow, 'hasNamedPrice' | 'suggestedPrice'>): number | null | undefined {
  if (!hasNamedPrice || String(suggestedPrice).trim() === '') return null;
  return priceProblem(suggestedPrice) === null ? (centsOf(suggestedPrice) ?? undefined) : undefined;
}

/** Parses a ticket quantity; `null` unless it is a whole number in range. */
export const quantityOf = (quantity: string | number): number | null =>
  typedCount(quantity, TICKET_QUANTITY_MAX) ?? null;

/** Types that open one after the other. */
const CHAIN_MAX = 5;

/** The row that this one opens after: null if none, undefined if there is no such row. */
export function rowBefore(rows: readonly TicketRow[], { opensAfter = '' }: TicketRow): number | null | undefined {
  if (opensAfter.trim() === '') return null;
  const byId = rows.findIndex(({ ticketId }) => ticketId === opensAfter);
  const index = byId >= 0 ? byId : rows.findIndex(({ ticketName }) => nameKey(ticketName) === nameKey(opensAfter));
  return index >= 0 ? index : undefined;
}

/** The rows that this one waits for, directly and through others; null if the next one is unknown. Ends where it would repeat. */
function chainFrom(rows: readonly TicketRow[], start: number): number[] | null {
  const chain: number[] = [];
  let row = rows[start];
  while (row) {
    const next = rowBefore(rows, row);
    if (next === undefined) return chain.length === 0 ? null : chain;
    if (next === null || chain.includes(next)) return chain;
    chain.push(next);
    row = rows[next];
  }
  return chain;
}

/** How many tickets an order takes: null if blank, undefined unless it is a whole number that an order can have. */
export const perOrderOf = (count?: string | number): number | null | undefined => typedCount(count, ORDER_TICKETS_MAX);

/** An invalid limit counts as blank: it has a problem of its own. */
export const limitsOf = (row: Pick<TicketRow, keyof QuantityLimits>): QuantityLimits => ({
  minPerOrder: perOrderOf(row.minPerOrder) ?? 1,
  maxPerOrder: perOrderOf(row.maxPerOrder) ?? null,
});

type LimitProblem = { field: keyof QuantityLimits; reason: FormReason };

/** The field to mend, and why, if no order of up to `most` tickets keeps all limits. `ofMinimum` says what the minimum exceeds. */
export const limitProblem = (limits: QuantityLimits, most: number, ofMinimum: FormReason): LimitProblem | null =>
  isSoldOut(most, limits) ? { field: 'minPerOrder', reason: ofMinimum } : null;

const INVALID_LIMITS = {
  minPerOrder: 'ticket-min.invalid',
  maxPerOrder: 'ticket-max.invalid',
} as const satisfies Record<keyof QuantityLimits, FormReason>;
const LIMITS = Object.keys(INVALID_LIMITS) as (keyof QuantityLimits)[];

type Rows = { value: TicketRow[]; issues: z.core.$ZodRawIssue[] };

function report(rows: Rows, path: (string | number)[], reason: FormReason) {
  rows.issues.push({ code: 'custom', input: rows.value, path, message: because(reason) });
}
