-- What an organization pays, and how many events it may have. An event keeps the terms that it was created with.
create table plans (
  id text primary key,
  name text not null unique,
  active_events_max integer not null check (active_events_max > 0),
  processing_cents integer not null check (processing_cents >= 0),
  -- Hundredths of a percent.
  standard_bp integer not null check (standard_bp between 0 and 9999),
  standard_flat_cents integer not null check (standard_flat_cents >= 0),
  large_bp integer not null check (large_bp between 0 and 9999),
  large_flat_cents integer not null check (large_flat_cents >= 0),
  -- From this many paid tickets on, the large rate applies.
  large_from integer not null check (large_from > 0),
  is_public boolean not null,
  retired_at timestamptz
);
insert into plans values ('standard', 'Standard', 2, 1500, 200, 75, 180, 50, 500, true);
alter table organizations add column plan_id text not null default 'standard' references plans;
