/** What one order may hold. */
import { ORDER_TICKETS_MAX, ORDER_TOTAL_MAX_CENTS, ORDER_TOTAL_MIN_CENTS } from './limits.ts';

export type OrderDenial = 'empty-cart' | 'too-many-tickets' | 'total-too-small' | 'total-too-large';

export interface OrderLine {
  quantity: number;
  unitPriceCents: number;
}

export function orderTotalCents(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
}

export function denyOrder(lines: readonly OrderLine[]): OrderDenial | null {
  const tickets = lines.reduce((sum, line) => sum + line.quantity, 0);
  if (tickets === 0) return 'empty-cart';
  if (tickets > ORDER_TICKETS_MAX) return 'too-many-tickets';
  const totalCents = orderTotalCents(lines);
  // An order of nothing but free tickets costs nothing, and is never charged.
  if (totalCents > 0 && totalCents < ORDER_TOTAL_MIN_CENTS) return 'total-too-small';
  if (totalCents > ORDER_TOTAL_MAX_CENTS) return 'total-too-large';
  return null;
}

/** Names an order. Event-owned rows carry the event's id in their keys. */
export interface OrderRef {
  eventId: string;
  orderId: string;
}
