-- Every movement of money, as double entry in whole cents. Rows are only ever added.
-- Debits are positive, credits negative; the entries of one transaction sum to 0.
create table ledger_entries (
  event_id text not null references events,
  transaction_id uuid not null,
  account text not null check (account in ('processor', 'organizer-payable', 'card-fees', 'owed-to-buyers')),
  cents integer not null check (cents <> 0),
  kind text not null check (kind in ('sale', 'card-fee', 'unfillable-sale', 'unfillable-refund')),
  -- What moved the money: the order of a sale, or the refund.
  subject_id uuid not null,
  created_at timestamptz not null,
  primary key (event_id, transaction_id, account)
);
create unique index ledger_once on ledger_entries (event_id, subject_id, kind, account);

create function ledger_transaction_balances() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from ledger_entries
       where event_id = new.event_id and transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to 0', new.transaction_id;
  end if;
  return null;
end $$;

create constraint trigger ledger_balances
  after insert on ledger_entries
  deferrable initially deferred
  for each row execute function ledger_transaction_balances();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed';
end $$;

create trigger ledger_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function ledger_is_append_only();
