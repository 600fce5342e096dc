-- A refund is per ticket; only an order for which no ticket could be issued goes back as a whole.
alter table refunds
  drop constraint refunds_cents_check,
  drop constraint refunds_reason_check,
  drop constraint refunds_state_check,
  drop constraint refunds_event_id_order_id_reason_key,
  add column ticket_id uuid,
  add column sent_at timestamptz,
  -- Why the card company would not give the money back, in its own words, for the operator.
  add column refusal text,
  -- A free ticket is given back too.
  add constraint refunds_cents_check check (cents >= 0),
  add constraint refunds_reason_check check (reason in ('requested', 'event-cancelled', 'unfillable-order')),
  -- sent: the card company has it. refused: it said no, for good; a new refund would be a new row.
  add constraint refunds_state_check check (state in ('claimed', 'sent', 'refused')),
  add constraint refunds_ticket_unless_unfillable check ((ticket_id is null) = (reason = 'unfillable-order')),
  add constraint refunds_sent_are_known check (state <> 'sent' or cents = 0 or provider_refund_id is not null),
  add constraint refunds_refused_say_why check ((state = 'refused') = (refusal is not null)),
  add foreign key (event_id, ticket_id) references tickets;

-- The last word on "once": whatever asks, a ticket has one refund that is alive.
create unique index refunds_one_per_ticket on refunds (event_id, ticket_id) where ticket_id is not null and state <> 'refused';
create unique index refunds_one_per_unfillable_order on refunds (event_id, order_id) where ticket_id is null;
create index refunds_order on refunds (event_id, order_id);
create index refunds_unfinished on refunds (created_at) where state <> 'sent';

create table payouts (
  event_id text not null references events,
  id uuid not null,
  seq integer not null check (seq > 0),
  -- requested: about to be transferred. awaiting-funds: the card company has not got the money ready yet.
  state text not null default 'requested' check (state in ('requested', 'awaiting-funds', 'paid')),
  cents integer not null check (cents > 0),
  -- The whole account, line by line, as it was when it was asked for.
  statement jsonb not null,
  -- Where it goes. Kept, because the same key must carry the same body.
  account_id text not null,
  -- Raised after a clear no: the card company repeats a stored answer for as long as it keeps the key.
  attempt integer not null default 1 check (attempt > 0),
  transfer_id text,
  requested_at timestamptz not null,
  paid_at timestamptz,
  primary key (event_id, id),
  unique (event_id, seq),
  constraint payouts_paid_are_known check ((state = 'paid') = (transfer_id is not null and paid_at is not null)),
  constraint payouts_are_their_statement check ((statement ->> 'netCents')::integer = cents)
);
create index payouts_unpaid on payouts (requested_at) where state <> 'paid';

alter table ledger_entries
  drop constraint ledger_entries_account_check,
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_account_check
    check (account in ('processor', 'organizer-payable', 'card-fees', 'owed-to-buyers', 'platform-fees')),
  add constraint ledger_entries_kind_check
    check (kind in ('sale', 'card-fee', 'unfillable-sale', 'unfillable-refund', 'refund', 'payout'));

-- What must never be false is repeated here. The locks of the use cases decide the races; these catch a lost lock.

-- A guest who came in gets money back only because the event was cancelled.
create function scanned_tickets_keep_their_money() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from refunds
                  where event_id = new.event_id and ticket_id = new.id and reason = 'event-cancelled') then
    raise exception 'ticket % was scanned, so it is not refunded', new.id;
  end if;
  return null;
end $$;

create constraint trigger tickets_scanned_keep_their_money
  after update of state on tickets
  deferrable initially deferred
  for each row when (new.scanned_at is not null and new.state in ('refunding', 'refunded'))
  execute function scanned_tickets_keep_their_money();

create function refunds_stay_within_bounds() returns trigger language plpgsql as $$
begin
  if (select sum(r.cents) from refunds r
       where r.event_id = new.event_id and r.order_id = new.order_id and r.state <> 'refused')
     > (select o.total_cents from orders o where o.event_id = new.event_id and o.id = new.order_id) then
    raise exception 'order % would give back more than was paid', new.order_id;
  end if;
  if new.ticket_id is not null and exists (select 1 from payouts where event_id = new.event_id) then
    raise exception 'event % was paid out, so its tickets are not refunded', new.event_id;
  end if;
  return null;
end $$;

create constraint trigger refunds_within_bounds
  after insert on refunds
  deferrable initially deferred
  for each row execute function refunds_stay_within_bounds();

create function payouts_come_last() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from events
                  where id = new.event_id and cancelled_at is null
                    and latest_ends_at + interval '24 hours' <= new.requested_at) then
    raise exception 'event % cannot be paid out', new.event_id;
  end if;
  if exists (select 1 from refunds
              where event_id = new.event_id and ticket_id is not null and state = 'claimed') then
    raise exception 'event % has refunds under way', new.event_id;
  end if;
  return null;
end $$;

create constraint trigger payouts_last
  after insert on payouts
  deferrable initially deferred
  for each row execute function payouts_come_last();

create function paid_out_events_are_not_cancelled() returns trigger language plpgsql as $$
begin
  if exists (select 1 from payouts where event_id = new.id) then
    raise exception 'event % was paid out, so it is not cancelled', new.id;
  end if;
  return null;
end $$;

create constraint trigger events_cancelled_unpaid
  after update of cancelled_at on events
  deferrable initially deferred
  for each row when (new.cancelled_at is not null)
  execute function paid_out_events_are_not_cancelled();

-- An organizer is never paid more than the buyers' money that is left.
create function payouts_stay_within_sales() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from ledger_entries
       where event_id = new.event_id and account = 'organizer-payable') > 0 then
    raise exception 'event % would be paid more than it sold', new.event_id;
  end if;
  return null;
end $$;

create constraint trigger ledger_payouts_within_sales
  after insert on ledger_entries
  deferrable initially deferred
  for each row when (new.kind in ('refund', 'payout') and new.account = 'organizer-payable')
  execute function payouts_stay_within_sales();
