/** Whether what was paid is what was ordered. */

export type PaymentDenial = 'other-order' | 'other-currency' | 'other-amount' | 'no-address';

export interface Payment {
  orderId: string | null;
  currency: string;
  totalCents: number;
  buyerEmail: string | null;
}

/** A payment that is not exactly the order's makes no tickets: a person decides what becomes of it. */
export function denyPayment(order: { orderId: string; totalCents: number }, payment: Payment): PaymentDenial | null {
  if (payment.orderId !== order.orderId) return 'other-order';
  if (payment.currency !== 'usd') return 'other-currency';
  if (payment.totalCents !== order.totalCents) return 'other-amount';
  return payment.buyerEmail === null ? 'no-address' : null;
}
