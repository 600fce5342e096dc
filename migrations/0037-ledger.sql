-- refund-costs: Stripe's fees on refunds that the organizer bears.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('sale', 'card-fee', 'unfulfillable-sale', 'unfulfillable-refund', 'refund', 'payout', 'refund-costs',
                  'refund-moved', 'refund-failed', 'owed-paid', 'external-refund', 'external-refund-failed',
                  'dispute-opened', 'dispute-won', 'dispute-lost', 'transfer-reversal', 'write-off'));
