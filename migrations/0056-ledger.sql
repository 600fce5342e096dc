-- What buyers are owed is summed up every few minutes. Only refunds and disputes write it.
create index ledger_owed_to_buyers on ledger_entries (account) include (cents) where account = 'owed-to-buyers';
