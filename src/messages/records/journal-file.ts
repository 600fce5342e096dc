/** The accounting journal of an event as a file. `scripts/journal-check.mjs` reads the records by these names. */
import type { IncludedTax } from '#domain/taxes/included-tax.ts';
import { formatRate } from '../format.ts';

export const journalFile = {
  fileName: (title: string, day: string) => `Journal of ${title} ${day}.csv`,
  columns: [
    'Record',
    'Date (UTC)',
    'Account',
    'Debit in US dollars',
    'Credit in US dollars',
    'Kind',
    'Transaction',
    'Order',
    'Refund',
    'Dispute',
    'Payout',
    'Stripe payment',
    'Stripe balance transaction',
    'Stripe transfer',
    'Value',
  ],
  records: {
    entry: 'entry',
    event: 'event',
    sum: 'sum',
    total: 'total',
    rows: 'rows',
    rowsHash: 'sha-256 of the rows',
    tax: 'sales tax in prices',
    compared: 'compared with Stripe up to',
    notCompared: 'not compared',
    discrepancy: 'differs from Stripe',
    fileHash: 'sha-256 of the file above',
  },
  tax: ({ rate, label }: IncludedTax) => `${label} ${formatRate(rate)}`,
  neverCompared: 'Nothing is compared with Stripe yet.',
  /** Why a movement is not compared. */
  reasons: {
    noId: "Stripe's id is not known yet.",
    unread: "Stripe's balance transaction is not read yet.",
    otherAmount: 'Stripe has no balance transaction of this amount.',
    notInLedger: 'The ledger has no movement of this amount.',
  },
};

export const eventFiles = {
  title: 'Files',
  statement: 'Statement',
  journal: 'Journal',
  journalHint: 'Every movement of money with its ids at Stripe, for an accountant.',
  downloadJournal: 'Download journal',
};
