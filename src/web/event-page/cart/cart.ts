/** The buyer's cart stores ticket names and quantities; prices always come from the event. */
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { leftAtMost } from '#domain/availability.ts';
import { ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { denyQuantity, isNamedPrice, quantityFrom, quantityUpTo } from '#domain/order.ts';
import type { StoredCartItem } from '#web/buyer-storage.ts';

/** A ticket type as this buyer can buy it. */
export interface ShownTicket extends TicketType {
  /** With the buyer's promo code, in cents. */
  promoCents?: number | undefined;
}

export type CartLine = ShownTicket & Pick<StoredCartItem, 'quantity' | 'namedCents'>;

/** How many of a ticket type the buyer wants: more of it, or a number. With the price, if the buyer names it. */
export type Choice = ({ add: number } | { set: number }) & { namedCents?: number | undefined };

/** What is on sale. */
type OnSale = Pick<PublicEvent, 'tickets' | 'maxPerOrder'>;

/** The cart after a choice, or why it cannot be. */
export function chooseTickets(
  cart: readonly StoredCartItem[],
  event: OnSale,
  ticket: TicketType,
  choice: Choice,
): StoredCartItem[] | AddDenial {
  const lines = cartLines(cart, event.tickets);
  const line = lines.find(({ ticketName }) => ticketName === ticket.ticketName);
  const inCart = line?.quantity ?? 0;
  // Another price is for the tickets in the cart, and adds none.
  const isRepriced = line !== undefined && choice.namedCents !== undefined && choice.namedCents !== line.namedCents;
  const more = 'add' in choice && !isRepriced ? choice.add : 0;
  const wanted = 'set' in choice ? choice.set : inCart + more;
  const quantity = isRepriced ? wanted : allowedNear(wanted, inCart, ticket);
  const denial = quantity > inCart ? denyAdd(lines, event, ticket, quantity) : null;
  const namedCents = choice.namedCents ?? line?.namedCents;
  const { ticketName } = ticket;
  return denial ?? withLine(cart, { ticketName, quantity, ...(namedCents !== undefined && { namedCents }) });
}

/** The first ticket brings the minimum of an order with it, and removing one of the minimum removes all. */
const allowedNear = (quantity: number, inCart: number, ticket: TicketType): number =>
  quantity > inCart ? (quantityFrom(quantity, ticket) ?? quantity) : quantityUpTo(quantity, ticket);

/** Adds or changes a line; a quantity of 0 removes it. */
function withLine(cart: readonly StoredCartItem[], line: StoredCartItem): StoredCartItem[] {
  const isLine = ({ ticketName }: StoredCartItem) => ticketName === line.ticketName;
  const next = cart.some(isLine) ? cart.map((pick) => (isLine(pick) ? line : pick)) : [...cart, line];
  return next.filter((pick) => pick.quantity > 0);
}

/** The cart with current names and prices. Tickets that are no longer on sale drop out, and those that lack their price. */
export function cartLines(cart: readonly StoredCartItem[], tickets: readonly ShownTicket[]): CartLine[] {
  return cart.flatMap((pick) => {
    const ticket = tickets.find((candidate) => candidate.ticketName === pick.ticketName);
    const isPriced = ticket?.hasNamedPrice ? isNamedPrice(pick.namedCents, listCents(ticket)) : true;
    return ticket && isPriced ? [{ ...ticket, ...pick }] : [];
  });
}

export function ticketCount(lines: readonly { quantity: number }[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}

export const listCents = ({ ticketPrice }: TicketType): number => centsOf(ticketPrice) ?? 0;

/** Without a promo code. */
export const lineCents = (line: CartLine): number => line.quantity * unitCents(line);

export const unitCents = (line: CartLine): number => (line.hasNamedPrice && line.namedCents) || listCents(line);

/** The largest quantity to offer for one ticket type. */
export function maxQuantity(ticket: TicketType, event: Pick<OnSale, 'maxPerOrder'>): number {
  return quantityUpTo(Math.min(leftAtMost(ticket.available), orderMaxOf(ticket, event)), ticket);
}

/** The event's limit leaves out add-ons. Those count in the most that any order can have. */
export const orderMaxOf = (
  { isAddOn }: TicketType,
  { maxPerOrder = ORDER_TICKETS_MAX }: Pick<OnSale, 'maxPerOrder'>,
): number => (isAddOn ? ORDER_TICKETS_MAX : maxPerOrder);

export type AddDenial = 'too-few-left' | 'too-many' | 'too-many-tickets';

/** Why the cart cannot have this quantity of a ticket type, or null if it can. */
function denyAdd(lines: readonly CartLine[], event: OnSale, ticket: TicketType, quantity: number): AddDenial | null {
  // Then no larger quantity is allowed either, because this is the nearest one.
  if (denyQuantity(quantity, ticket)) return 'too-many';
  if (quantity > leftAtMost(ticket.available)) return 'too-few-left';
  const others = lines.filter((line) => line.ticketName !== ticket.ticketName && !(line.isAddOn && !ticket.isAddOn));
  return ticketCount(others) + quantity > orderMaxOf(ticket, event) ? 'too-many-tickets' : null;
}
