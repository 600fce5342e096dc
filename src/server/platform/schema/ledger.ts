/** Debits are positive. `processor` is our balance at the payment processor, `organizer-payable` what we owe an organizer. */
export type LedgerAccount =
  | 'processor'
  | 'organizer-payable'
  | 'card-fees'
  | 'owed-to-buyers'
  | 'platform-fees'
  | 'disputed'
  | 'dispute-costs'
  | 'receivables'
  | 'write-offs'
  | 'operator';

export type LedgerKind =
  | 'sale'
  | 'card-fee'
  | 'unfulfillable-sale'
  | 'unfulfillable-refund'
  | 'refund'
  | 'refund-moved'
  | 'refund-failed'
  | 'owed-paid'
  | 'external-refund'
  | 'external-refund-failed'
  | 'dispute-opened'
  | 'dispute-won'
  | 'dispute-lost'
  | 'transfer-reversal'
  | 'write-off'
  | 'refund-costs'
  | 'payout';

export interface LedgerTables {
  ledgerEntries: {
    eventId: string;
    transactionId: string;
    account: LedgerAccount;
    cents: number;
    kind: LedgerKind;
    subjectId: string;
    createdAt: Date;
  };
}
