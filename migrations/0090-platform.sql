-- Locks api_keys: an instant, to refer to them.
-- Requests of programs with an idempotency key, and their first answers, for a day. `id` stays the same for each attempt.
create table api_idempotency (
  key_id uuid not null references api_keys on delete cascade,
  idempotency_key text not null,
  id uuid not null,
  request_hash bytea not null,
  attempt integer not null default 1,
  running_until timestamptz not null,
  status integer,
  answer bytea,
  created_at timestamptz not null,
  primary key (key_id, idempotency_key),
  check ((status is null) = (answer is null))
);
create index api_idempotency_created_at on api_idempotency (created_at);
