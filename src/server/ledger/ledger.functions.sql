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

-- Records sales, and Stripe's fees on them: Stripe owes us the total less its fee, and we owe the total to the organizer. A null or 0
-- is not recorded. Idempotent for each order.
create or replace function record_sales(event_ids text[], order_ids uuid[], totals integer[], fees integer[], recorded_at timestamptz)
  returns void language sql as $$
  insert into ledger_entries (event_id, subject_id, kind, transaction_id, account, cents, created_at)
  with sales as materialized (
    select event_id, order_id, new_row_id() as sale_id, new_row_id() as fee_id, total, fee
      from unnest(event_ids, order_ids, totals, fees) as s (event_id, order_id, total, fee))
  select event_id, order_id, kind, transaction_id, account, amount, recorded_at
    from sales cross join lateral (values
      ('sale', sale_id, 'processor', total),
      ('sale', sale_id, 'organizer-payable', -total),
      ('card-fee', fee_id, 'card-fees', fee),
      ('card-fee', fee_id, 'processor', -fee)) as entries (kind, transaction_id, account, amount)
   where amount <> 0
  on conflict (event_id, subject_id, kind, account) do nothing;
$$;
