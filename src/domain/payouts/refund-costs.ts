/** Stripe keeps its fee when a payment is refunded. An event's terms say who bears it. */
import type { FeeTerms } from '#domain/fees.ts';

export const REFUND_COSTS = ['platform', 'organizer'] as const;

export type RefundCosts = (typeof REFUND_COSTS)[number];

/** The terms that an event keeps. Absent in events older than the setting: the platform. */
export type EventTerms = FeeTerms & { refundCosts?: RefundCosts };

/** Payments of the same fee and amount, of which the same amount was refunded. */
export interface RefundedPayments {
  payments: number;
  feeCents: number;
  refundedCents: number;
  chargedCents: number;
}

/** The fee on the refunded part of each payment, half a cent up; never more than the fee. */
export function refundCostsCents(refunded: readonly RefundedPayments[]): number {
  return refunded.reduce((sum, { payments, ...payment }) => sum + payments * costCents(payment), 0);
}

function costCents({ feeCents, refundedCents, chargedCents }: Omit<RefundedPayments, 'payments'>): number {
  if (chargedCents === 0) return 0;
  return Math.floor((2 * feeCents * refundedCents + chargedCents) / (2 * chargedCents));
}
