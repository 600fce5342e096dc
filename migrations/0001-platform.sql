-- Business time: the database's clock plus an offset. Only the sandbox ever moves it.
create table business_clock (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  offset_seconds bigint not null default 0
);
insert into business_clock default values;

-- What is left of each rate limit. Unlogged: a crash resets the counts and loses nothing else.
create unlogged table rate_limits (
  -- A hash, so that the table holds no addresses.
  key text primary key,
  points integer not null default 0,
  -- Milliseconds since 1970, by the database's clock.
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

-- Security-relevant actions. Append-only; holds ids, never names or addresses.
create table audit_events (
  id uuid primary key,
  at timestamptz not null,
  -- Null for a buyer or a holder of an emailed link: neither has an account.
  actor_id uuid,
  action text not null,
  -- The account, event or payout it was done to.
  subject text not null,
  event_id text,
  -- Keyed hash of the network; null for a job.
  network_hash text
);
create index audit_events_actor on audit_events (actor_id, id);
create index audit_events_event on audit_events (event_id, id) where event_id is not null;

-- Emails to send, written in the transaction that causes them. One row per occasion, however often it occurs.
create table email_outbox (
  id uuid primary key,
  kind text not null,
  subject_id text not null,
  version integer not null default 1,
  to_address text not null,
  -- What the template cannot look up, such as a link's secret. Emptied once the email is sent.
  params jsonb not null default '{}',
  created_at timestamptz not null,
  sent_at timestamptz,
  -- The account the email is about, erased with it. Null for emails about a purchase.
  account_id uuid,
  unique (kind, subject_id, version)
);
create index email_outbox_open on email_outbox (created_at) where sent_at is null;
create index email_outbox_account on email_outbox (account_id) where account_id is not null;
create index email_outbox_to on email_outbox (lower(to_address));
create index email_outbox_addressed on email_outbox (sent_at) where sent_at is not null and to_address <> '';

-- Where emails go without an SMTP server: whole messages, shown at /sandbox/inbox.
create table inbox_messages (
  id uuid primary key,
  message_id text not null unique,
  to_address text not null,
  raw bytea not null,
  received_at timestamptz not null
);
create index inbox_messages_to on inbox_messages (lower(to_address), received_at);

-- Heartbeats of job workers. The jobs of a worker that stops reporting go to the others.
create unlogged table worker_heartbeats (
  id text primary key,
  seen_at timestamptz not null
);
