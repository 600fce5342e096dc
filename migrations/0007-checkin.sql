-- A device that checks in guests: a browser that entered the attendant code, or that of a member. Its id is the grant's, or the member's.
create table check_in_devices (
  event_id text not null references events,
  id uuid not null,
  name text not null check (length(name) between 1 and 30),
  entered_at timestamptz not null,
  -- Null for a member, whose session has its own end.
  ends_at timestamptz,
  seen_at timestamptz not null,
  -- Offline scans it has not synced yet.
  pending integer not null default 0 check (pending >= 0),
  removed_at timestamptz,
  primary key (event_id, id)
);

-- Scans that a device decided offline, once each, with the result after sync.
create table offline_scans (
  event_id text not null references events,
  id uuid not null,
  device_id uuid not null,
  -- Null for an unknown number, which is not stored.
  ticket_id uuid,
  scanned_at timestamptz not null,
  received_at timestamptz not null,
  result text not null check (result in ('first', 'again', 'double', 'refunded', 'cancelled', 'disputed', 'unknown')),
  primary key (event_id, id),
  foreign key (event_id, ticket_id) references tickets (event_id, id),
  constraint known_tickets_have_a_result check ((ticket_id is null) = (result = 'unknown'))
);
create index offline_scans_conflicts on offline_scans (event_id, received_at) where result not in ('first', 'again');
create index offline_scans_ticket on offline_scans (event_id, ticket_id) where ticket_id is not null;
