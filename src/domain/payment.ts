/** When a payment is handled, and whether it matches its order. */

export type OrderState = 'reserved' | 'expired' | 'paid' | 'unfulfillable' | 'needs-review';

/** The order's payment was received, whatever came of it. */
export function hasReceivedPayment({ state }: { state: OrderState }): boolean {
  return state === 'paid' || state === 'unfulfillable' || state === 'needs-review';
}

const NAME_MAX = 100;

/** One line of visible characters, since nothing has checked what the payment page let through. Null if nothing is left. */
export function buyerNameOf(reported: string): string | null {
  const line = reported.replace(/[\p{C}\s]+/gu, ' ').trim();
  return Array.from(line).slice(0, NAME_MAX).join('').trimEnd() || null;
}

export type PaymentDenial = 'other-order' | 'other-currency' | 'other-amount' | 'no-address';

/** Why a paid order is refunded instead of fulfilled. */
export type UnfulfillableReason = 'sold-out' | 'event-cancelled' | 'event-ended' | 'payment-differs' | 'order-lost';

export interface Payment {
  orderId: string | null;
  currency: string;
  totalCents: number;
  buyerEmail: string | null;
}

/** A payment that does not match exactly issues no tickets; the order goes to review instead. */
export function denyPayment(order: { orderId: string; totalCents: number }, payment: Payment): PaymentDenial | null {
  if (payment.orderId !== order.orderId) return 'other-order';
  if (payment.currency !== 'usd') return 'other-currency';
  if (payment.totalCents !== order.totalCents) return 'other-amount';
  return payment.buyerEmail === null ? 'no-address' : null;
}

/** Whether what a session sells is what it charges. */
export function addsUp(lines: readonly { unitPriceCents: number; quantity: number }[], totalCents: number): boolean {
  return lines.length > 0 && lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0) === totalCents;
}
