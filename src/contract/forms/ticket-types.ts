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
import { oneLine, someLines } from './typed-text.ts';

/** Public view of a ticket type. Money on the wire is in dollars. */
export const ticketType = z.object({
  ticketId: z.string(),
  ticketName: z.string(),
  ticketDescription: z.string(),
  ticketPrice: z.number(),
  ticketQuantity: z.number(),
  /** Tickets left: exact up to 10, then rounded down. */
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

/** Validated as a list, because every message contains the row's number. */
export const ticketRows = z.array(ticketTypeForm).check((rows) => {
  if (rows.value.length === 0) report(rows, [], 'Add at least one ticket');
  if (rows.value.length > TICKET_TYPES_MAX)
    report(rows, [], `An event can have at most ${TICKET_TYPES_MAX} ticket types`);

  const names = new Set<string>();
  rows.value.forEach((row, index) => {
    const ticket = `Ticket ${index + 1}`;
    const name = row.ticketName.trim();
    if (!name) report(rows, [index, 'ticketName'], `${ticket} name is required`);
    if (characterCount(name) > TICKET_NAME_MAX)
      report(rows, [index, 'ticketName'], `${ticket} name must be ${TICKET_NAME_MAX} characters or less`);
    if (name && names.has(name.toLowerCase()))
      report(rows, [index, 'ticketName'], `${ticket} has the same name as another ticket`);
    names.add(name.toLowerCase());

    if (!row.ticketDescription.trim()) report(rows, [index, 'ticketDescription'], `${ticket} description is required`);
    if (characterCount(row.ticketDescription.trim()) > TICKET_DESCRIPTION_MAX)
      report(
        rows,
        [index, 'ticketDescription'],
        `${ticket} description must be ${TICKET_DESCRIPTION_MAX} characters or less`,
      );

    const problem = priceProblem(row.ticketPrice);
    if (problem) report(rows, [index, 'ticketPrice'], `${ticket} price ${problem}`);

    const quantity = quantityOf(row.ticketQuantity);
    if (quantity === null)
      report(
        rows,
        [index, 'ticketQuantity'],
        `${ticket} quantity must be a whole number from 1 to ${TICKET_QUANTITY_MAX.toLocaleString('en-US')}`,
      );
  });
});

function priceProblem(price: string | number): string | null {
  const cents = centsOf(price);
  if (cents === null) return 'must be a valid number';
  if (cents > TICKET_PRICE_MAX_CENTS) return 'cannot exceed $50,000';
  if (cents > 0 && cents < TICKET_PRICE_MIN_CENTS) return 'must be $0 or at least $0.50';
  return null;
}

/** Parses a ticket quantity; `null` unless it is a whole number in range. */
export function quantityOf(quantity: string | number): number | null {
  const text = String(quantity).trim();
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= TICKET_QUANTITY_MAX ? count : null;
}

type Rows = { value: z.infer<typeof ticketTypeForm>[]; issues: z.core.$ZodRawIssue[] };

function report(rows: Rows, path: (string | number)[], message: string) {
  rows.issues.push({ code: 'custom', input: rows.value, path, message });
}
