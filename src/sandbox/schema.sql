-- State of the sandbox. Runs at every start, so each statement must be repeatable.
-- Timestamps are Unix seconds on the sandbox's clock. Amounts are whole US cents.
create schema if not exists sandbox;

-- One row per Stripe object. `body` is the API object, `inside` is state that the API does not expose.
create table if not exists sandbox.objects (
  seq bigint generated always as identity,
  id text primary key,
  kind text not null,
  account text,
  created double precision not null,
  body json not null,
  inside json not null
);
-- When the scheduler has to act on the object.
alter table sandbox.objects add column if not exists due_at double precision generated always as (
  case when kind <> 'checkout.session' then (inside->>'settlesAt')::float8
       when body->>'status' = 'open' then (body->>'expires_at')::float8 end) stored;
create index if not exists objects_due on sandbox.objects (due_at) where due_at is not null;
create index if not exists objects_newest_first on sandbox.objects (kind, created desc, seq desc);
create index if not exists objects_of_intent on sandbox.objects ((body->>'payment_intent')) where body->>'payment_intent' is not null;
create index if not exists objects_of_charge on sandbox.objects ((body->>'charge')) where body->>'charge' is not null;
create index if not exists objects_of_group on sandbox.objects ((body->>'transfer_group')) where body->>'transfer_group' is not null;

-- Ledger of the platform (account is null) and of connected accounts. Balances are sums of these rows.
create table if not exists sandbox.balance_transactions (
  seq bigint generated always as identity,
  id text primary key,
  account text,
  amount double precision not null,
  fee double precision not null,
  net double precision not null check (net = amount - fee),
  type text not null,
  reporting_category text not null,
  description text,
  source text,
  created double precision not null,
  available_on double precision not null,
  status text not null check (status in ('pending', 'available'))
);
create index if not exists balance_of_account on sandbox.balance_transactions (account, status);
create index if not exists balance_by_source on sandbox.balance_transactions (source);
create index if not exists balance_maturing on sandbox.balance_transactions (available_on) where status = 'pending';

create table if not exists sandbox.events (
  seq bigint generated always as identity,
  id text primary key,
  type text not null,
  account text,
  created double precision not null,
  payload text not null
);
create index if not exists events_newest_first on sandbox.events (created desc, seq desc);

create table if not exists sandbox.deliveries (
  id bigint generated always as identity primary key,
  event_id text not null references sandbox.events,
  endpoint_id text not null,
  attempts integer not null default 0,
  first_due_at double precision not null,
  next_attempt_at double precision,
  delivered_at double precision,
  last_answer text
);
create index if not exists deliveries_due on sandbox.deliveries (next_attempt_at) where next_attempt_at is not null;
create index if not exists deliveries_of_event on sandbox.deliveries (event_id);

create table if not exists sandbox.idempotency_keys (
  scope text not null,
  key text not null,
  fingerprint text not null,
  request_id text not null,
  status integer not null,
  answer text not null,
  expires_at double precision not null,
  primary key (scope, key)
);

-- Single-use links to onboarding and to the Express dashboard.
create table if not exists sandbox.links (
  token text primary key,
  purpose text not null check (purpose in ('connect', 'express')),
  account text not null,
  refresh_url text,
  return_url text,
  expires_at double precision not null,
  visited_at double precision,
  visit_secret text,
  finished_at double precision
);
create index if not exists refunds_without_funds on sandbox.objects (id)
  where kind = 'refund' and body->>'pending_reason' = 'insufficient_funds';
create index if not exists keys_expiring on sandbox.idempotency_keys (expires_at);

-- The automatic payout that included this transaction.
alter table sandbox.balance_transactions add column if not exists payout text;
create index if not exists balance_of_payout on sandbox.balance_transactions (payout) where payout is not null;
create index if not exists objects_of_transfer on sandbox.objects ((body->>'transfer')) where body->>'transfer' is not null;

-- Lease of the process that is sending the delivery, in wall-clock time.
alter table sandbox.deliveries add column if not exists leased_until timestamptz;
alter table sandbox.deliveries add column if not exists leased_by text;

create table if not exists sandbox.delivery_attempts (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references sandbox.deliveries,
  at double precision not null,
  answer text not null,
  accepted boolean not null
);
create index if not exists attempts_of_delivery on sandbox.delivery_attempts (delivery_id);

-- Payout settings of an account, or of the platform under the owner 'platform'.
create table if not exists sandbox.balance_settings (
  owner text primary key,
  interval text not null check (interval in ('manual', 'daily')),
  statement_descriptor text
);

-- A thin event names an object without a snapshot. Fetching the event adds `detail`.
alter table sandbox.events add column if not exists is_thin boolean not null default false;
alter table sandbox.events add column if not exists detail json;
