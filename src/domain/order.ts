/** What an order may be: when its event sells, at which prices, and within which limits. */
import { ORDER_TICKETS_MAX, ORDER_TOTAL_MAX_CENTS, ORDER_TOTAL_MIN_CENTS } from './limits.ts';
import { dollarsOf } from './money.ts';
import { nameKey } from './visible-text.ts';

/** Identifies an order. Keys of rows that belong to an event include the event's id. */
export interface OrderRef {
  eventId: string;
  orderId: string;
}

/** A choice of the buyer. An id wins over a name; a price is what the buyer was shown, in dollars. */
interface CartItem {
  ticketId?: string | undefined;
  ticketName: string;
  ticketPrice?: number | undefined;
  quantity: number;
}

/** What a cart is priced with. */
export interface EventToSell {
  endsAt: Date;
  cancelledAt: Date | null;
  pausedSales: PausedSales | null;
  now: Date;
  types: readonly { id: string; name: string; priceCents: number }[];
}

export interface PricedLine {
  ticketTypeId: string;
  /** Name and price as shown to the buyer. */
  ticketName: string;
  unitPriceCents: number;
  quantity: number;
}

export type CartDenial = { reason: SaleDenial | OrderDenial | 'unknown-ticket' | 'price-changed' | 'sales-paused' };

/** Resolves the cart to the event's names and prices: one line per ticket type, in cart order. */
export function priceCart(items: readonly CartItem[], event: EventToSell): PricedLine[] | CartDenial {
  const saleDenial = denySale(event, event.now);
  if (saleDenial) return { reason: saleDenial };

  const lines = new Map<string, PricedLine>();
  for (const item of items) {
    const type = item.ticketId
      ? event.types.find((one) => one.id === item.ticketId)
      : typeNamed(item.ticketName, event);
    if (!type) return { reason: 'unknown-ticket' };
    if (isPaused(event.pausedSales, type.priceCents)) return { reason: 'sales-paused' };
    if (item.ticketPrice !== undefined && item.ticketPrice !== dollarsOf(type.priceCents))
      return { reason: 'price-changed' };

    const quantity = (lines.get(type.id)?.quantity ?? 0) + item.quantity;
    lines.set(type.id, { ticketTypeId: type.id, ticketName: type.name, unitPriceCents: type.priceCents, quantity });
  }
  const priced = [...lines.values()];
  const denial = denyOrder(priced);
  return denial ? { reason: denial } : priced;
}

function typeNamed(name: string, { types }: EventToSell) {
  const type = types.find((one) => one.name === name);
  if (type) return type;
  const key = nameKey(name);
  return types.find((one) => nameKey(one.name) === key);
}

/** What a brake leaves on sale: nothing, or free tickets. */
export type PausedSales = 'all' | 'paid';

export const isPaused = (pausedSales: PausedSales | null, priceCents: number): boolean =>
  pausedSales === 'all' || (pausedSales === 'paid' && priceCents > 0);

export type SaleDenial = 'event-cancelled' | 'event-ended';

/** Sales stay open until the event ends: people also buy at the door. */
export function denySale(event: { endsAt: Date; cancelledAt: Date | null }, now: Date): SaleDenial | null {
  if (event.cancelledAt) return 'event-cancelled';
  if (now >= event.endsAt) return 'event-ended';
  return null;
}

export type OrderDenial = 'empty-cart' | 'too-many-tickets' | 'total-too-small' | 'total-too-large';

export interface OrderLine {
  quantity: number;
  unitPriceCents: number;
}

export function denyOrder(lines: readonly OrderLine[]): OrderDenial | null {
  const tickets = lines.reduce((sum, line) => sum + line.quantity, 0);
  if (tickets === 0) return 'empty-cart';
  if (tickets > ORDER_TICKETS_MAX) return 'too-many-tickets';
  const totalCents = orderTotalCents(lines);
  // A free order is never charged, so the processor's minimum does not apply.
  if (totalCents > 0 && totalCents < ORDER_TOTAL_MIN_CENTS) return 'total-too-small';
  if (totalCents > ORDER_TOTAL_MAX_CENTS) return 'total-too-large';
  return null;
}

export function orderTotalCents(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
}
