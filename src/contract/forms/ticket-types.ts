/** Ticket types: as organizers enter them, and as replies show them. */
import * as z from 'zod/mini';
import {
  characterCount,
  TICKET_DESCRIPTION_MAX,
  TICKET_NAME_MAX,
  TICKET_PRICE_MAX_CENTS,
  TICKET_PRICE_MIN_CENTS,
  TICKET_QUANTITY_MAX,
  TICKET_TYPES_MAX,
} from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { nameKey } from '#domain/visible-text.ts';
import { because, type FormReason } from './form-problem.ts';
import { oneLine, someLines } from './typed-text.ts';

/** Public view of a ticket type. Money on the wire is in dollars. */
export const ticketType = z.object({
  ticketId: z.string(),
  ticketName: z.string(),
  ticketDescription: z.string(),
  ticketPrice: z.number(),
  ticketQuantity: z.number(),
  /** Tickets left: exact below 20, then rounded down. */
  available: z.number(),
});

/** The organizer's view, with exact counts. */
export const ownTicketType = z.extend(ticketType, {
  /** Neither sold nor reserved. */
  available: z.number(),
  /** Sold and not refunded. */
  ticketsSold: z.number(),
});

const ticketTypeForm = z.object({
  /** Set when the row edits an existing ticket type. */
  ticketId: z.optional(z.string()),
  ticketName: z.string().check(oneLine()),
  ticketDescription: z.string().check(someLines()),
  ticketPrice: z.union([z.string(), z.number()]),
  ticketQuantity: z.union([z.string(), z.number()]),
});

/** Validated as a list, because names must differ between the rows. */
export const ticketRows = z.array(ticketTypeForm).check((rows) => {
  if (rows.value.length === 0) report(rows, [], 'tickets.missing');
  if (rows.value.length > TICKET_TYPES_MAX) report(rows, [], 'tickets.too-many');

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

    const quantity = quantityOf(row.ticketQuantity);
    if (quantity === null) report(rows, [index, 'ticketQuantity'], 'ticket-quantity.invalid');
  });
});

function priceProblem(price: string | number): FormReason | null {
  const cents = centsOf(price);
  if (cents === null) return 'ticket-price.not-a-number';
  if (cents > TICKET_PRICE_MAX_CENTS) return 'ticket-price.too-high';
  if (cents > 0 && cents < TICKET_PRICE_MIN_CENTS) return 'ticket-price.too-low';
  return null;
}

/** Parses a ticket quantity; `null` unless it is a whole number in range. */
export function quantityOf(quantity: string | number): number | null {
  const text = String(quantity).trim();
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= TICKET_QUANTITY_MAX ? count : null;
}

type Rows = { value: z.infer<typeof ticketTypeForm>[]; issues: z.core.$ZodRawIssue[] };

function report(rows: Rows, path: (string | number)[], reason: FormReason) {
  rows.issues.push({ code: 'custom', input: rows.value, path, message: because(reason) });
}
