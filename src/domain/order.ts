/** What one order may hold. */
import { ORDER_TICKETS_MAX, ORDER_TOTAL_MAX_CENTS } from './limits.ts';

export type OrderObstacle = 'empty-cart' | 'too-many-tickets' | 'total-too-large';

export interface OrderLine {
  quantity: number;
  unitPriceCents: number;
}

export function orderTotalCents(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
}

export function orderObstacle(lines: readonly OrderLine[]): OrderObstacle | null {
  const tickets = lines.reduce((sum, line) => sum + line.quantity, 0);
  if (tickets === 0) return 'empty-cart';
  if (tickets > ORDER_TICKETS_MAX) return 'too-many-tickets';
  if (orderTotalCents(lines) > ORDER_TOTAL_MAX_CENTS) return 'total-too-large';
  return null;
}
