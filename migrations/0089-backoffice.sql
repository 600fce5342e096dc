-- Locks users, organizations: an instant, to refer to them.
-- Where programs are called when something happens. Ended ones stay until their log has gone.
create table webhook_endpoints (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  created_by uuid not null references users on delete cascade,
  url text not null,
  types text[] not null,
  -- Null: all events, also future ones.
  only_event_ids text[],
  -- The secrets that sign: the present one, and the one before for a day.
  secrets_sealed bytea not null,
  created_at timestamptz not null,
  -- The first failure since the last success.
  failing_since timestamptz,
  -- When the owners were emailed about it.
  warned_at timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('member', 'gone', 'failing')),
  constraint webhook_endpoints_ended_say_why check ((ended_at is null) = (end_reason is null))
);
create index webhook_endpoints_organization on webhook_endpoints (organization_id, created_at);
create index webhook_endpoints_created_by on webhook_endpoints (created_by);
create index webhook_endpoints_live on webhook_endpoints (id) where ended_at is null;

-- How far the changes of an organization have been read for its endpoints.
create table webhook_readings (
  organization_id uuid primary key references organizations on delete cascade,
  -- The oldest transaction that was open at the last reading.
  up_to xid8 not null,
  -- In real time.
  next_at timestamptz not null default now()
);

create table webhook_deliveries (
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  id uuid not null,
  type text not null,
  -- Null of a test.
  event_id text,
  -- What it tells of: an order, a ticket, a refund, a payout or an event.
  object_id text not null,
  -- Deliveries with the same subject are sent in their order.
  subject text not null,
  occurred_at timestamptz not null,
  -- dropped: its endpoint has ended, or its object is gone.
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped')),
  attempts integer not null default 0,
  next_at timestamptz not null,
  -- Claimed until then, in real time.
  sending_until timestamptz,
  attempted_at timestamptz,
  -- Of the last attempt: the status that was answered, or why there was none.
  answer_status integer,
  problem text,
  answer_ms integer,
  delivered_at timestamptz,
  primary key (endpoint_id, id),
  unique (endpoint_id, type, object_id, occurred_at)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'waiting';
create index webhook_deliveries_subject on webhook_deliveries (endpoint_id, subject, occurred_at, id) where state = 'waiting';
create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where sending_until is not null;
