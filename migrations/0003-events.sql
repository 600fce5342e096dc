-- Everything below an event carries event_id in each key, so that the schema can be spread by event.
create table events (
  -- The public id in links: 16 URL-safe characters.
  id text primary key check (length(id) = 16),
  record_id uuid not null,
  organizer_id uuid not null references users,
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
  -- Raised when the code changes: grants of an older version end.
  attendant_code_version integer not null default 1,
  processing_fee_waived boolean not null default false,
  cancelled_at timestamptz,
  created_at timestamptz not null
);
create index events_organizer on events (organizer_id, created_at);

-- available = quantity - reserved. A sale keeps its reservation; only expiry and refund lower it.
create table ticket_types (
  event_id text not null references events,
  id uuid not null,
  position integer not null,
  name text not null,
  description text not null,
  price_cents integer not null check (price_cents = 0 or price_cents between 50 and 5000000),
  quantity integer not null check (quantity > 0),
  reserved integer not null default 0,
  primary key (event_id, id),
  constraint never_oversold check (reserved between 0 and quantity)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create unique index ticket_types_name on ticket_types (event_id, lower(name));

create table event_photos (
  event_id text not null references events,
  id uuid not null,
  position integer not null,
  file_name text not null,
  created_at timestamptz not null,
  primary key (event_id, id)
);
