/** What Stripe and the ledger can disagree on. */
export type DiscrepancyKind =
  | 'unknown-order'
  | 'unknown-payment'
  | 'unknown-transfer'
  | 'payment'
  | 'transfer'
  | 'payout'
  | 'balance';
