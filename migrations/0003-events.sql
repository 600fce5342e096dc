-- Tables of an event carry event_id in every key, so that the schema can be distributed by event.
create table events (
  -- The public id in links: 16 URL-safe characters.
  id text primary key check (length(id) = 16),
  record_id uuid not null,
  organization_id uuid not null references organizations,
  title text not null,
  description text not null,
  street text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  timezone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  participants text not null,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  attendant_code text not null check (length(attendant_code) = 10),
  -- Incremented with a new code; grants of older versions end.
  attendant_code_version integer not null default 1,
  processing_fee_waived boolean not null default false,
  cancelled_at timestamptz,
  -- When its payout was requested: sales, edits and refunds end then.
  payout_requested_at timestamptz,
  created_at timestamptz not null,
  -- The latest end announced since the first sale. Moving the end never makes the payout earlier.
  announced_ends_at timestamptz,
  latest_ends_at timestamptz not null generated always as (greatest(ends_at, announced_ends_at)) stored,
  sales_start_at timestamptz,
  -- Null without a waiting room.
  buyers_per_minute integer check (buyers_per_minute between 1 and 6000),
  constraint waiting_room_has_a_start check (buyers_per_minute is null or sales_start_at is not null)
);
create index events_organization on events (organization_id, created_at);

create table ticket_types (
  event_id text not null references events,
  id uuid not null,
  position integer not null,
  name text not null,
  description text not null,
  price_cents integer not null check (price_cents = 0 or price_cents between 50 and 5000000),
  quantity integer not null check (quantity > 0),
  -- No longer offered. The row stays: expired orders still refer to it.
  removed_at timestamptz,
  primary key (event_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create unique index ticket_types_name on ticket_types (event_id, lower(name)) where removed_at is null;

create table event_photos (
  event_id text not null references events,
  id uuid not null,
  position integer not null,
  file_name text not null,
  created_at timestamptz not null,
  primary key (event_id, id)
);

-- Date and place before a change, until every buyer has been emailed.
create table event_changes (
  event_id text not null references events,
  id uuid not null,
  street text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  timezone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (event_id, id)
);

-- One row per room, none per visitor: a pass is a signed number, and its turn follows from the rate.
create table waiting_rooms (
  event_id text primary key references events,
  -- The last number handed out. Numbers called while the room was empty are skipped.
  last_pass bigint not null default 0 check (last_pass >= 0),
  -- How many joined before the start and take part in the draw; null until it is closed.
  draw_size bigint check (draw_size between 0 and last_pass),
  -- The current rate: passes after `called_before` are called from `since` on.
  called_before bigint not null default 0,
  since timestamptz not null,
  per_minute integer not null check (per_minute between 1 and 6000),
  -- Earlier rates, oldest first, for passes called by them.
  earlier_rates jsonb not null default '[]'
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Sold tickets without counting them. Every change of tickets appends a row, on which no two sales collide; a job rolls
-- those rows up. `ticket_totals_now` adds both in one snapshot.
create table ticket_totals (
  event_id text not null references events,
  price_cents integer not null,
  is_disputed boolean not null,
  -- All tickets ever issued; of these the sold, the scanned and the void ones.
  issued integer not null,
  sold integer not null,
  scanned integer not null,
  voided integer not null,
  ticket_type_id uuid not null,
  primary key (event_id, ticket_type_id, price_cents, is_disputed)
) with (fillfactor = 50);

create table ticket_total_changes (
  event_id text not null,
  id bigint generated always as identity,
  price_cents integer not null,
  is_disputed boolean not null,
  issued integer not null,
  sold integer not null,
  scanned integer not null,
  voided integer not null,
  ticket_type_id uuid not null,
  primary key (event_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create view ticket_totals_now as
  select event_id, ticket_type_id, price_cents, is_disputed,
         sum(issued)::integer as issued, sum(sold)::integer as sold,
         sum(scanned)::integer as scanned, sum(voided)::integer as voided,
         -- Rows that wait to be rolled up.
         sum(is_change)::integer as changes
    from (select event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided, 0 as is_change
            from ticket_totals
          union all
          select event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided, 1
            from ticket_total_changes) both_of_them
   group by event_id, ticket_type_id, price_cents, is_disputed;

-- Deferred: the code is redeemed before its event is inserted.
alter table affiliate_codes add foreign key (event_id) references events deferrable initially deferred;
