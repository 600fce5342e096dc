-- A paid order that does not match its payment is set aside for a person: no tickets, and the money stays in sight.
alter table orders
  drop constraint orders_state_check,
  add constraint orders_state_check check (state in ('held', 'paid', 'expired', 'unfillable', 'quarantined')),
  -- What arrived, where that is not the total.
  add column received_cents integer check (received_cents >= 0),
  add column quarantine text,
  -- When somebody last tried to end its hold: the one that waited longest is tried next.
  add column end_tried_at timestamptz,
  add constraint orders_quarantined_say_why check (state <> 'quarantined' or quarantine is not null);
create index orders_payment on orders (payment_id) where payment_id is not null;

alter table refunds
  drop constraint refunds_reason_check,
  drop constraint refunds_state_check,
  drop constraint refunds_ticket_unless_unfillable,
  -- external: made at the card company itself, not by the product.
  add constraint refunds_reason_check check (reason in ('requested', 'event-cancelled', 'unfillable-order', 'external')),
  -- restored: taken back by the buyer before it was sent. failed: it was sent, and the money came back to us.
  add constraint refunds_state_check check (state in ('claimed', 'sent', 'refused', 'restored', 'failed')),
  add constraint refunds_ticket_unless_whole_order
    check ((ticket_id is null) = (reason in ('unfillable-order', 'external'))),
  -- The card company is not asked before this moment.
  add column send_after timestamptz,
  -- From this moment on the card company may have been asked, so that the buyer can no longer take it back.
  add column sending_at timestamptz,
  -- The last time that it was: whose is longest ago is next.
  add column tried_at timestamptz,
  -- Raised when the card company keeps repeating a stored error under one key.
  add column attempt integer not null default 1 check (attempt > 0),
  -- When the money left the platform's balance there. A refund that waits for funds is sent and has not moved.
  add column moved_at timestamptz,
  -- When the card company called it done. It can still fail after that.
  add column settled_at timestamptz,
  add column failed_at timestamptz,
  -- When it came to nothing: refused by the card company, or taken back by the buyer.
  add column ended_at timestamptz,
  -- Of the link in the buyer's mail: it shows the refund, and takes it back while that can be done.
  add column link_hash bytea unique;
update refunds
   set send_after = created_at, sending_at = created_at, moved_at = sent_at,
       ended_at = case when state = 'refused' then created_at end;
alter table refunds
  alter column send_after set not null,
  add constraint refunds_failed_say_when check ((state = 'failed') = (failed_at is not null));

drop index refunds_one_per_ticket;
create unique index refunds_one_per_ticket on refunds (event_id, ticket_id)
  where ticket_id is not null and state not in ('refused', 'restored');
drop index refunds_one_per_unfillable_order;
create unique index refunds_one_per_unfillable_order on refunds (event_id, order_id)
  where reason = 'unfillable-order' and state not in ('refused', 'restored');
create unique index refunds_provider on refunds (event_id, provider_refund_id) where provider_refund_id is not null;
drop index refunds_unfinished;
create index refunds_to_send on refunds (tried_at nulls first, send_after) where state = 'claimed';
create index refunds_refused on refunds (ended_at) where state = 'refused';
create index refunds_unsettled on refunds (sent_at) where state = 'sent' and settled_at is null;

create or replace function refunds_stay_within_bounds() returns trigger language plpgsql as $$
begin
  -- What was refunded at the card company itself is a fact, whatever we think of it.
  if new.reason = 'external' then return null; end if;
  if (select sum(r.cents) from refunds r
       where r.event_id = new.event_id and r.order_id = new.order_id and r.state not in ('refused', 'restored'))
     > (select coalesce(o.received_cents, o.total_cents) from orders o where o.event_id = new.event_id and o.id = new.order_id) then
    raise exception 'order % would give back more than was paid', new.order_id;
  end if;
  if new.ticket_id is not null and exists (select 1 from payouts where event_id = new.event_id) then
    raise exception 'event % was paid out, so its tickets are not refunded', new.event_id;
  end if;
  return null;
end $$;

-- What a buyer's bank asks back. One row for each dispute that the card company names.
create table disputes (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  provider_dispute_id text not null,
  cents integer not null check (cents > 0),
  -- What the card company keeps for it, whoever wins.
  fee_cents integer not null default 0 check (fee_cents >= 0),
  -- inquiry: a question, no money has moved. open: the money is withheld. closed: an inquiry that came to nothing.
  state text not null check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
  -- In the card company's word, such as `fraudulent`.
  reason text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The payout that left the order's tickets out because they were disputed then.
  withheld_from uuid,
  -- The payout that paid what had been left out, or taken back.
  returned_by uuid,
  primary key (event_id, id),
  unique (event_id, provider_dispute_id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, withheld_from) references payouts,
  foreign key (event_id, returned_by) references payouts,
  constraint disputes_end_once check ((state in ('won', 'lost', 'closed')) = (closed_at is not null))
);
create index disputes_order on disputes (event_id, order_id);
create index disputes_under_way on disputes (opened_at) where state in ('inquiry', 'open');

-- Flagged while the payment is disputed. The state beside it stays: a dispute may be won.
alter table tickets add column disputed_at timestamptz;

create function void_tickets_have_a_reason() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from disputes
                  where event_id = new.event_id and order_id = new.order_id and state = 'lost')
     and not exists (select 1 from refunds
                      where event_id = new.event_id and order_id = new.order_id and reason = 'external') then
    raise exception 'ticket % is void without a lost dispute or a refund at the card company', new.id;
  end if;
  return null;
end $$;

create constraint trigger tickets_void_for_a_reason
  after update of state on tickets
  deferrable initially deferred
  for each row when (new.state = 'void')
  execute function void_tickets_have_a_reason();

alter table payouts
  drop constraint payouts_cents_check,
  drop constraint payouts_state_check,
  drop constraint payouts_paid_are_known,
  drop constraint payouts_are_their_statement,
  -- The dearest event comes to more than 32 bits hold.
  alter column cents type bigint,
  add constraint payouts_are_their_statement check ((statement ->> 'netCents')::bigint = cents),
  -- 0: what was due was kept against what the organizer owed.
  add constraint payouts_cents_check check (cents >= 0),
  -- awaiting-account: the organizer's account cannot take money at the moment.
  add constraint payouts_state_check check (state in ('requested', 'awaiting-funds', 'awaiting-account', 'paid')),
  add constraint payouts_paid_are_known
    check ((state = 'paid') = (paid_at is not null) and (state <> 'paid' or cents = 0 or transfer_id is not null)),
  -- Why the card company would not transfer it the last time, in its own words, for the operator.
  add column refusal text;

update payouts set statement = '{"withheldCents": 0, "deductedCents": 0, "keptForDebtCents": 0}'::jsonb || statement;

-- Money of a paid-out event that has to come back from its organizer: first by reversing the transfer, else as a debt.
create table recoveries (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  -- What makes it necessary: a dispute, or a refund at the card company itself.
  dispute_id uuid,
  refund_id uuid,
  -- The transfer that is reversed.
  payout_id uuid not null,
  -- The tickets' prices, and the ticket fees that go back to the organizer with them.
  gross_cents integer not null check (gross_cents > 0),
  fees_cents integer not null check (fees_cents between 0 and gross_cents),
  -- claimed: about to be reversed. receivable: the organizer's account was empty, so the next payout is lowered.
  state text not null default 'claimed' check (state in ('claimed', 'reversed', 'receivable')),
  attempt integer not null default 1 check (attempt > 0),
  reversal_id text,
  refusal text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (event_id, id),
  unique (event_id, dispute_id),
  unique (event_id, refund_id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, dispute_id) references disputes,
  foreign key (event_id, refund_id) references refunds,
  foreign key (event_id, payout_id) references payouts,
  constraint recoveries_have_one_cause check (num_nonnulls(dispute_id, refund_id) = 1),
  constraint recoveries_reversed_are_known check (state <> 'reversed' or reversal_id is not null),
  constraint recoveries_settle_once check ((state = 'claimed') = (settled_at is null))
);
create index recoveries_unfinished on recoveries (created_at) where state = 'claimed';

-- What is being taken back was paid for sales that are gone by now.
create or replace function payouts_stay_within_sales() returns trigger language plpgsql as $$
begin
  if (select sum(cents) from ledger_entries
       where event_id = new.event_id and account = 'organizer-payable')
     > (select coalesce(sum(gross_cents), 0) from recoveries
         where event_id = new.event_id and state = 'claimed') then
    raise exception 'event % would be paid more than it sold', new.event_id;
  end if;
  return null;
end $$;

alter table ledger_entries
  alter column cents type bigint,
  drop constraint ledger_entries_account_check,
  drop constraint ledger_entries_kind_check,
  add constraint ledger_entries_account_check
    check (account in ('processor', 'organizer-payable', 'card-fees', 'owed-to-buyers', 'platform-fees',
                       'disputed', 'dispute-costs', 'receivables', 'write-offs', 'operator')),
  add constraint ledger_entries_kind_check
    check (kind in ('sale', 'card-fee', 'unfillable-sale', 'unfillable-refund', 'refund', 'payout',
                    'refund-moved', 'refund-failed', 'owed-paid', 'external-refund', 'external-refund-failed',
                    'dispute-opened', 'dispute-won', 'dispute-lost', 'recovery', 'write-off'));

-- What the card company told us, by what it is about.
alter table webhook_inbox
  add column payment_id text,
  add column account_id text,
  -- Notices of one subject, such as an order, are acted on together: one look at the card company tells what all of them say.
  add column subject text;
create index webhook_inbox_open_subject on webhook_inbox (subject) where processed_at is null;

create index ledger_entries_of_processor on ledger_entries (created_at) where account = 'processor';
create index ledger_entries_of_receivables on ledger_entries (event_id) where account = 'receivables';
create index payouts_transfer on payouts (transfer_id) where transfer_id is not null;

-- Each change of the platform's balance at the card company, as it reports it; compared with the ledger.
create table provider_movements (
  id text primary key,
  -- In the card company's word, such as `charge`.
  type text not null,
  -- The payment or the transfer that it belongs to; null for what is none of the product's, such as a bank payout.
  payment_id text,
  transfer_id text,
  net_cents bigint not null,
  created_at timestamptz not null
);
create index provider_movements_payment on provider_movements (payment_id);
create index provider_movements_transfer on provider_movements (transfer_id);
create index provider_movements_created on provider_movements (created_at);

-- What the reconciler has looked into already, so that what stays as it is does not keep it from looking at the rest.
create table reconciler_looks (
  -- A refund, a dispute or a payment, as the card company names it.
  subject text primary key,
  -- What there was to see: anything else is news.
  seen text not null,
  looks integer not null default 1,
  looked_at timestamptz not null
);

-- What the product's records and the card company's do not agree on. Found and resolved by comparing, never by hand.
create table differences (
  id uuid primary key,
  kind text not null,
  -- What it is about, such as a payment's or a transfer's id.
  subject text not null,
  event_id text,
  words text not null,
  cents bigint not null default 0,
  found_at timestamptz not null,
  resolved_at timestamptz
);
create unique index differences_open on differences (kind, subject) where resolved_at is null;

-- Who works on the queue. The jobs of one that has not been seen for a while are given to the others.
create unlogged table living_workers (
  id text primary key,
  seen_at timestamptz not null
);

-- Up to where the card company's movements have been read. Without a row they are read from the first order on.
create table movements_read (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  until timestamptz not null,
  finished_at timestamptz not null
);
