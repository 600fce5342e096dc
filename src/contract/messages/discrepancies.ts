/** Discrepancies between Stripe and the ledger, for the operator. */

export type DiscrepancyKind =
  | 'unknown-order'
  | 'unknown-payment'
  | 'unknown-transfer'
  | 'payment'
  | 'transfer'
  | 'payout'
  | 'balance';

export const discrepancyMessages: Record<DiscrepancyKind, string> = {
  'unknown-order': "A paid checkout refers to an order that doesn't exist, as after restoring an older backup.",
  'unknown-payment': 'Stripe has balance transactions for a payment that belongs to no order.',
  'unknown-transfer': 'Stripe has balance transactions for a transfer that belongs to no payout.',
  payment: "Stripe's balance transactions for this payment don't match our ledger.",
  transfer: "Stripe's balance transactions for this transfer don't match our ledger.",
  payout: "A payout was blocked because its event's tickets don't match our ledger.",
  balance: "Stripe's balance doesn't match our ledger.",
};
