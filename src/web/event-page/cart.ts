/** The buyer's cart: which tickets and how many. Names and prices come from the event each time. */
import type { TicketType } from '#contract/events.ts';
import { EXACT_AVAILABILITY_MAX } from '#domain/availability.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { orderTotalCents } from '#domain/order.ts';
import type { Pick } from '#web/buyer-memory.ts';

export type CartLine = TicketType & { quantity: number };

export function addOne(cart: readonly Pick[], ticketName: string): Pick[] {
  const known = cart.some((pick) => pick.ticketName === ticketName);
  if (!known) return [...cart, { ticketName, quantity: 1 }];
  return cart.map((pick) => (pick.ticketName === ticketName ? { ...pick, quantity: pick.quantity + 1 } : pick));
}

/** A quantity of 0 takes the line out. */
export function setQuantity(cart: readonly Pick[], ticketName: string, quantity: number): Pick[] {
  return cart
    .map((pick) => (pick.ticketName === ticketName ? { ...pick, quantity } : pick))
    .filter((pick) => pick.quantity > 0);
}

/** The cart in the event's present words and prices. What is no longer on sale drops out. */
export function cartLines(cart: readonly Pick[], tickets: readonly TicketType[]): CartLine[] {
  return cart.flatMap((pick) => {
    const ticket = tickets.find((candidate) => candidate.ticketName === pick.ticketName);
    return ticket ? [{ ...ticket, quantity: pick.quantity }] : [];
  });
}

export function ticketCount(lines: readonly { quantity: number }[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}

export function totalCents(lines: readonly CartLine[]): number {
  return orderTotalCents(
    lines.map((line) => ({ quantity: line.quantity, unitPriceCents: centsOf(line.ticketPrice) ?? 0 })),
  );
}

/** Availability is exact up to ten; above that only the order's own limit holds a buyer back. */
export function mostOf(ticket: TicketType): number {
  return ticket.available <= EXACT_AVAILABILITY_MAX ? ticket.available : ORDER_TICKETS_MAX;
}
