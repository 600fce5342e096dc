-- A device at an event's door: who entered the attendant code, or the organizer's own browser. Its id is the grant's.
create table door_devices (
  event_id text not null references events,
  id uuid not null,
  name text not null check (length(name) between 1 and 30),
  entered_at timestamptz not null,
  -- Null for the organizer, whose session has its own end.
  ends_at timestamptz,
  seen_at timestamptz not null,
  pending integer not null default 0 check (pending >= 0),
  removed_at timestamptz,
  primary key (event_id, id)
);

-- By which of its device's scans a guest came in, so that a scan whose answer was lost is known again, and can be taken back.
alter table tickets add column scan_id uuid;

-- Scans that a device decided without the server, once each, as they turned out.
create table offline_scans (
  event_id text not null references events,
  id uuid not null,
  device_id uuid not null,
  -- Null where there is no such ticket; its made-up number is kept by nobody.
  ticket_id uuid,
  scanned_at timestamptz not null,
  received_at timestamptz not null,
  outcome text not null check (outcome in ('first', 'again', 'double', 'refunded', 'cancelled', 'disputed', 'unknown')),
  primary key (event_id, id),
  foreign key (event_id, ticket_id) references tickets (event_id, id),
  constraint known_tickets_have_an_outcome check ((ticket_id is null) = (outcome = 'unknown'))
);
create index offline_scans_findings on offline_scans (event_id, received_at) where outcome not in ('first', 'again');

-- Whoever keeps in memory which grants are good hears of each device that is removed, or is back.
create trigger door_devices_announced after update of removed_at on door_devices
  for each row execute function announce_event_of_part();
