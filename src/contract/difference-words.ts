/** What the product's records and the card company's may disagree on, in words for the operator. */

export type DiscrepancyKind =
  | 'unknown-order'
  | 'unknown-payment'
  | 'unknown-transfer'
  | 'payment'
  | 'transfer'
  | 'payout'
  | 'balance';

export const discrepancyMessages: Record<DiscrepancyKind, string> = {
  'unknown-order': 'A paid checkout names an order that is not here, as after restoring an older backup.',
  'unknown-payment': 'The card company has movements of a payment that no order here belongs to.',
  'unknown-transfer': 'The card company has movements of a transfer that no payout here belongs to.',
  payment: 'What the card company moved for this payment is not what our books say.',
  transfer: 'What the card company moved for this transfer is not what our books say.',
  payout: 'A payout was refused because the tickets of its event and our books do not come to the same.',
  balance: 'All that the card company moved does not add up to our books.',
};
