/** Limits of a single order. */
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
  // A free order is never charged, so the processor's minimum does not apply.
  if (totalCents > 0 && totalCents < ORDER_TOTAL_MIN_CENTS) return 'total-too-small';
  if (totalCents > ORDER_TOTAL_MAX_CENTS) return 'total-too-large';
  return null;
}

/** Identifies an order. Keys of rows that belong to an event include the event's id. */
export interface OrderRef {
  eventId: string;
  orderId: string;
}
