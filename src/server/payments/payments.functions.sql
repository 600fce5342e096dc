-- What the buyer of an order still has to get and nothing is on its way to bring. A refund that came back is owed until it is paid,
-- by an operator or in the Stripe dashboard.
create or replace function owed_to_buyer(of_event text, of_order uuid) returns bigint language sql stable as $$
  select greatest(0,
    (select coalesce(-sum(l.cents), 0) from ledger_entries l
      where l.event_id = of_event and l.account = 'owed-to-buyers'
        and l.subject_id in (select of_order
                             union all select id from refunds where event_id = of_event and order_id = of_order
                             union all select id from disputes where event_id = of_event and order_id = of_order))
    - (select coalesce(sum(cents), 0) from refunds
        where event_id = of_event and order_id = of_order and state = 'sent' and moved_at is null))::bigint
$$;

-- A guest who came in gets money back only because the event was cancelled.
create or replace function scanned_tickets_keep_their_money() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from refunds
                  where event_id = new.event_id and ticket_id = new.id and reason = 'event-cancelled') then
    raise exception 'ticket % was scanned, so it is not refunded', new.id;
  end if;
  return null;
end $$;

drop trigger if exists tickets_scanned_keep_their_money on tickets;
create constraint trigger tickets_scanned_keep_their_money
  after update of state on tickets
  deferrable initially deferred
  for each row when (new.scanned_at is not null and new.state in ('refunding', 'refunded'))
  execute function scanned_tickets_keep_their_money();

create or replace function refunds_stay_within_bounds() returns trigger language plpgsql as $$
begin
  -- A refund made in the Stripe dashboard has already happened, so it is recorded even if our rules would deny it.
  if new.reason = 'external' then return null; end if;
  if (select sum(r.cents) from refunds r
       where r.event_id = new.event_id and r.order_id = new.order_id and r.state not in ('refused', 'restored'))
     > (select coalesce(o.received_cents, o.total_cents) from orders o where o.event_id = new.event_id and o.id = new.order_id) then
    raise exception 'order % would refund more than was paid', new.order_id;
  end if;
  if new.ticket_id is not null and exists (select 1 from payouts where event_id = new.event_id) then
    raise exception 'event % was paid out, so its tickets are not refunded', new.event_id;
  end if;
  return null;
end $$;

drop trigger if exists refunds_within_bounds on refunds;
create constraint trigger refunds_within_bounds
  after insert on refunds
  deferrable initially deferred
  for each row execute function refunds_stay_within_bounds();

create or replace function payouts_come_last() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from events
                  where id = new.event_id and cancelled_at is null
                    and settles_at(latest_ends_at) <= new.requested_at) then
    raise exception 'event % cannot be paid out', new.event_id;
  end if;
  if exists (select 1 from refunds
              where event_id = new.event_id and ticket_id is not null and state = 'claimed') then
    raise exception 'event % has refunds under way', new.event_id;
  end if;
  return null;
end $$;

drop trigger if exists payouts_last on payouts;
create constraint trigger payouts_last
  after insert on payouts
  deferrable initially deferred
  for each row execute function payouts_come_last();

create or replace function paid_out_events_are_not_cancelled() returns trigger language plpgsql as $$
begin
  if exists (select 1 from payouts where event_id = new.id) then
    raise exception 'event % was paid out, so it is not cancelled', new.id;
  end if;
  return null;
end $$;

drop trigger if exists events_cancelled_unpaid on events;
create constraint trigger events_cancelled_unpaid
  after update of cancelled_at on events
  deferrable initially deferred
  for each row when (new.cancelled_at is not null)
  execute function paid_out_events_are_not_cancelled();

-- The reversed amount was paid out for sales that no longer exist.
create or replace function payouts_stay_within_sales() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from ledger_entries
       where event_id = new.event_id and account = 'organizer-payable')
     > (select coalesce(sum(gross_cents - reserve_cents), 0) from transfer_reversals
         where event_id = new.event_id and state = 'claimed') then
    raise exception 'event % would be paid more than it sold', new.event_id;
  end if;
  return null;
end $$;

drop trigger if exists ledger_payouts_within_sales on ledger_entries;
create constraint trigger ledger_payouts_within_sales
  after insert on ledger_entries
  deferrable initially deferred
  for each row when (new.kind in ('refund', 'payout') and new.account = 'organizer-payable')
  execute function payouts_stay_within_sales();

create or replace function void_tickets_have_a_reason() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from disputes
                  where event_id = new.event_id and order_id = new.order_id and state = 'lost')
     and not exists (select 1 from refunds
                      where event_id = new.event_id and order_id = new.order_id and reason = 'external') then
    raise exception 'ticket % is void without a lost dispute or a refund at Stripe', new.id;
  end if;
  return null;
end $$;

drop trigger if exists tickets_void_for_a_reason on tickets;
create constraint trigger tickets_void_for_a_reason
  after update of state on tickets
  deferrable initially deferred
  for each row when (new.state = 'void')
  execute function void_tickets_have_a_reason();
