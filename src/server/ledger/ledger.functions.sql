create or replace function ledger_transaction_balances() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from ledger_entries
       where event_id = new.event_id and transaction_id = new.transaction_id) <> 0 then
    raise exception 'ledger transaction % does not sum to 0', new.transaction_id;
  end if;
  return null;
end $$;

drop trigger if exists ledger_balances on ledger_entries;
create constraint trigger ledger_balances
  after insert on ledger_entries
  deferrable initially deferred
  for each row execute function ledger_transaction_balances();

create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entries are never changed or removed';
end $$;

create or replace trigger ledger_append_only
  before update or delete or truncate on ledger_entries
  for each statement execute function ledger_is_append_only();
