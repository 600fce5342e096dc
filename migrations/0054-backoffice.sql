-- What organizers and buyers are owed and what Stripe holds, as last read. Published with PUBLISH_FUNDS=1.
create table funds_reading (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  organizers_cents bigint not null check (organizers_cents >= 0),
  buyers_cents bigint not null check (buyers_cents >= 0),
  balance_cents bigint not null,
  read_at timestamptz not null
);

-- One signed total a day, and each organization's part of it.
create table funds_snapshots (
  day date primary key,
  root text not null check (root ~ '^[0-9a-f]{64}$'),
  owed_cents bigint not null check (owed_cents >= 0),
  signature text not null,
  public_key text not null
);
create table funds_leaves (
  day date not null references funds_snapshots on delete cascade,
  organization_id uuid not null,
  nonce text not null,
  cents bigint not null check (cents >= 0),
  primary key (day, organization_id)
);
