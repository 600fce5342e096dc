-- Every movement of money as a double entry in cents. Append-only. Debits are positive; each transaction sums to 0.
create table ledger_entries (
  event_id text not null references events,
  transaction_id uuid not null,
  account text not null
    check (account in ('processor', 'organizer-payable', 'card-fees', 'owed-to-buyers', 'platform-fees',
                       'disputed', 'dispute-costs', 'receivables', 'write-offs', 'operator')),
  cents bigint not null check (cents <> 0),
  kind text not null
    check (kind in ('sale', 'card-fee', 'unfulfillable-sale', 'unfulfillable-refund', 'refund', 'payout',
                    'refund-moved', 'refund-failed', 'owed-paid', 'external-refund', 'external-refund-failed',
                    'dispute-opened', 'dispute-won', 'dispute-lost', 'transfer-reversal', 'write-off')),
  -- The order, refund, dispute, reversal or payout that moved the money.
  subject_id uuid not null,
  created_at timestamptz not null,
  primary key (event_id, transaction_id, account)
);
create unique index ledger_once on ledger_entries (event_id, subject_id, kind, account);
create index ledger_entries_of_processor on ledger_entries (created_at) where account = 'processor';
create index ledger_entries_of_receivables on ledger_entries (event_id) where account = 'receivables';
-- No statistics: until the next analysis they would make PostgreSQL treat a new event as empty and read all of its rows.
alter table ledger_entries alter column event_id set statistics 0;
