-- The row is written before Stripe is called, so a crash cannot refund twice.
create table refunds (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  -- 0 for a free ticket.
  cents integer not null check (cents >= 0),
  -- external: made in Stripe's dashboard.
  reason text not null check (reason in ('requested', 'event-cancelled', 'unfulfillable-order', 'external')),
  -- sent: Stripe has it. refused: Stripe denied it for good; another attempt is another row.
  -- restored: canceled by the buyer before it was sent. failed: sent, and the money came back to us.
  state text not null default 'claimed' check (state in ('claimed', 'sent', 'refused', 'restored', 'failed')),
  stripe_refund_id text,
  created_at timestamptz not null,
  -- Null for a whole order.
  ticket_id uuid,
  sent_at timestamptz,
  -- Why Stripe denied it, in Stripe's words, for the operator.
  failure_reason text,
  -- Stripe is not called before this moment.
  send_after timestamptz not null,
  -- From this moment on Stripe may have been called, so the buyer can no longer cancel.
  sending_at timestamptz,
  -- Last attempt; the longest wait goes first.
  attempted_at timestamptz,
  -- Incremented when Stripe keeps replaying a stored error for one idempotency key.
  attempt integer not null default 1 check (attempt > 0),
  -- When the money left our Stripe balance. A refund that waits for funds is sent and has not moved.
  moved_at timestamptz,
  -- When Stripe reported success. It can still fail after that.
  settled_at timestamptz,
  failed_at timestamptz,
  -- When it was denied or canceled.
  ended_at timestamptz,
  -- Hash of the link in the buyer's email, which shows the refund and cancels it while that is possible.
  link_hash bytea unique,
  -- Since when Stripe may know the key of this attempt. Stripe forgets a key after a day.
  key_since timestamptz,
  primary key (event_id, id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, ticket_id) references tickets,
  constraint refunds_sent_are_known check (state <> 'sent' or cents = 0 or stripe_refund_id is not null),
  constraint refunds_refused_say_why check ((state = 'refused') = (failure_reason is not null)),
  constraint refunds_ticket_unless_whole_order check ((ticket_id is null) = (reason in ('unfulfillable-order', 'external'))),
  constraint refunds_failed_say_when check ((state = 'failed') = (failed_at is not null))
);
-- One live refund per ticket, whichever code path asks.
create unique index refunds_one_per_ticket on refunds (event_id, ticket_id)
  where ticket_id is not null and state not in ('refused', 'restored');
create unique index refunds_one_per_unfulfillable_order on refunds (event_id, order_id)
  where reason = 'unfulfillable-order' and state not in ('refused', 'restored');
create index refunds_order on refunds (event_id, order_id);
create index refunds_ticket on refunds (event_id, ticket_id) where ticket_id is not null;
create unique index refunds_provider on refunds (event_id, stripe_refund_id) where stripe_refund_id is not null;
create index refunds_to_send on refunds (attempted_at nulls first, send_after) where state = 'claimed';
create index refunds_refused on refunds (ended_at) where state = 'refused';
create index refunds_unsettled on refunds (sent_at) where state = 'sent' and settled_at is null;
create index refunds_failed on refunds (failed_at) where state = 'failed';
-- See ledger_entries.
alter table refunds alter column event_id set statistics 0;

create table payouts (
  event_id text not null references events,
  id uuid not null,
  -- 1 is the organizer's request; higher ones pay what disputes won back.
  seq integer not null check (seq > 0),
  -- requested: about to be transferred. awaiting-funds: our Stripe balance is too low.
  -- awaiting-account: the organizer's account cannot receive money at the moment.
  state text not null default 'requested' check (state in ('requested', 'awaiting-funds', 'awaiting-account', 'paid')),
  -- 0 when everything due was kept against the organizer's debt.
  cents bigint not null check (cents >= 0),
  -- Every line of the statement as it was when the payout was requested.
  statement jsonb not null,
  -- The destination. Kept, because the same idempotency key must carry the same body.
  account_id text not null,
  -- Incremented after a definite error: Stripe replays a stored answer while it knows the key.
  attempt integer not null default 1 check (attempt > 0),
  transfer_id text,
  requested_at timestamptz not null,
  paid_at timestamptz,
  -- Why the last transfer was denied, in Stripe's words, for the operator.
  failure_reason text,
  -- Last attempt; the longest wait goes first.
  attempted_at timestamptz,
  -- See refunds.
  key_since timestamptz,
  primary key (event_id, id),
  unique (event_id, seq),
  constraint payouts_paid_are_known
    check ((state = 'paid') = (paid_at is not null) and (state <> 'paid' or cents = 0 or transfer_id is not null)),
  constraint payouts_are_their_statement check ((statement ->> 'netCents')::bigint = cents)
);
create index payouts_to_send on payouts (attempted_at nulls first, requested_at) where state <> 'paid';
create index payouts_transfer on payouts (transfer_id) where transfer_id is not null;

create table disputes (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  stripe_dispute_id text not null,
  cents integer not null check (cents > 0),
  -- What Stripe charges for it, won or lost.
  fee_cents integer not null default 0 check (fee_cents >= 0),
  -- inquiry: no money has moved. open: the money is withdrawn. closed: the inquiry ended without a dispute.
  state text not null check (state in ('inquiry', 'open', 'won', 'lost', 'closed')),
  -- Stripe's code, such as `fraudulent`.
  reason text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The payout that left the order's tickets out because of this dispute.
  excluded_from uuid,
  -- The payout that paid what had been left out or reversed.
  returned_by uuid,
  primary key (event_id, id),
  unique (event_id, stripe_dispute_id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, excluded_from) references payouts,
  foreign key (event_id, returned_by) references payouts,
  constraint disputes_end_once check ((state in ('won', 'lost', 'closed')) = (closed_at is not null))
);
create index disputes_order on disputes (event_id, order_id);
create index disputes_under_way on disputes (opened_at) where state in ('inquiry', 'open');

-- Money of a paid-out event that its organizer owes back: first by reversing the transfer, else as a debt.
create table transfer_reversals (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  -- The cause: a dispute, or a refund made in Stripe's dashboard.
  dispute_id uuid,
  refund_id uuid,
  -- The payout whose transfer is reversed.
  payout_id uuid not null,
  -- The tickets' prices, and the ticket fees credited to the organizer with them.
  gross_cents integer not null check (gross_cents > 0),
  fees_cents integer not null check (fees_cents between 0 and gross_cents),
  -- claimed: about to be reversed. receivable: the organizer's account was empty, so the next payout is lowered.
  state text not null default 'claimed' check (state in ('claimed', 'reversed', 'receivable')),
  attempt integer not null default 1 check (attempt > 0),
  stripe_reversal_id text,
  failure_reason text,
  created_at timestamptz not null,
  settled_at timestamptz,
  attempted_at timestamptz,
  key_since timestamptz,
  primary key (event_id, id),
  unique (event_id, dispute_id),
  unique (event_id, refund_id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, dispute_id) references disputes,
  foreign key (event_id, refund_id) references refunds,
  foreign key (event_id, payout_id) references payouts,
  constraint transfer_reversals_have_one_cause check (num_nonnulls(dispute_id, refund_id) = 1),
  constraint transfer_reversals_reversed_are_known check (state <> 'reversed' or stripe_reversal_id is not null),
  constraint transfer_reversals_settle_once check ((state = 'claimed') = (settled_at is null))
);
create index transfer_reversals_unfinished on transfer_reversals (created_at) where state = 'claimed';

-- Stripe's webhook events. Received is not processed: processed_at is set in the transaction of the effect.
create table webhook_events (
  id text primary key,
  type text not null,
  -- The order it is about, where it names one of ours.
  event_id text,
  order_id uuid,
  payload jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  payment_id text,
  account_id text,
  -- Events of one subject, such as an order, are processed together: one read from Stripe covers all of them.
  subject text
);
create index webhook_events_open on webhook_events (received_at) where processed_at is null;
create index webhook_events_open_subject on webhook_events (subject) where processed_at is null;

-- Stripe's balance transactions, compared with the ledger.
create table balance_transactions (
  id text primary key,
  -- Stripe's type, such as `charge`.
  type text not null,
  -- Null for what is none of the product's, such as a bank payout.
  payment_id text,
  transfer_id text,
  net_cents bigint not null,
  created_at timestamptz not null
);
create index balance_transactions_payment on balance_transactions (payment_id);
create index balance_transactions_transfer on balance_transactions (transfer_id);
create index balance_transactions_created on balance_transactions (created_at);

-- Up to where balance transactions have been read. Without a row they are read from the first order on.
create table balance_transaction_cursor (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  until timestamptz not null,
  finished_at timestamptz not null
);

-- What reconciliation has looked up already, so that unchanged subjects do not keep it from reaching the others.
create table reconciliation_polls (
  -- Stripe's id of a refund, dispute or payment.
  subject text primary key,
  -- Fingerprint of what was found; anything else is news.
  seen text not null,
  polls integer not null default 1,
  polled_at timestamptz not null
);

-- Where our records and Stripe's disagree. Found and resolved by comparison, never by hand.
create table discrepancies (
  id uuid primary key,
  kind text not null,
  -- The id of a payment, transfer or event.
  subject text not null,
  event_id text,
  cents bigint not null default 0,
  found_at timestamptz not null,
  resolved_at timestamptz
);
create unique index discrepancies_open on discrepancies (kind, subject) where resolved_at is null;
