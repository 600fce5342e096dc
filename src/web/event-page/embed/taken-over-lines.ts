/** The cart of a frame as the event sells it now. */
import type { PublicEvent, TicketType } from '#contract/app/events.ts';
import { centsOf } from '#domain/money.ts';
import type { StoredCartItem } from '#web/buyer-storage.ts';
import type { HandedCart } from './cart-address.ts';

export interface OrderLine {
  ticket: TicketType;
  quantity: number;
  /** For each ticket, where the buyer names the price. */
  namedCents?: number;
}

type Sale = Pick<PublicEvent, 'tickets'>;

/** What is no longer for sale drops out. */
export const linesOf = (items: HandedCart['items'], { tickets }: Sale): OrderLine[] =>
  items.flatMap(({ ticketId, ...item }) => {
    const ticket = tickets.find((one) => one.ticketId === ticketId);
    return ticket && Boolean(ticket.hasNamedPrice) === (item.namedCents !== undefined) ? [{ ticket, ...item }] : [];
  });

export const storedLines = (cart: readonly StoredCartItem[], { tickets }: Sale): OrderLine[] =>
  cart.flatMap(({ ticketName, ...item }) => {
    const ticket = tickets.find((one) => one.ticketName === ticketName);
    return ticket ? [{ ticket, ...item }] : [];
  });

export const centsOfLine = ({ ticket, quantity, namedCents }: OrderLine): number =>
  quantity * (namedCents ?? centsOf(ticket.ticketPrice) ?? 0);

export const totalOf = (lines: readonly OrderLine[]): number => lines.reduce((sum, line) => sum + centsOfLine(line), 0);

/**
 * Whether the buyer has just pressed *Checkout* in the frame, which the referrer tells. Programs that follow addresses, and people
 * who were sent one, reserve nothing by opening it.
 */
export function isFrameOf(
  eventId: string,
  referrer: string,
  here: Pick<Location, 'origin'> = window.location,
): boolean {
  if (!URL.canParse(referrer)) return false;
  const { origin, pathname } = new URL(referrer);
  return origin === here.origin && pathname === `/embed/${eventId}`;
}
