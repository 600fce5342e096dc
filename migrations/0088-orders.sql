-- Locks tickets: an instant, to refer to them.
-- Check-ins that were undone: a ticket has its last one only, and webhooks report each.
create table undone_check_ins (
  event_id text not null,
  ticket_id uuid not null,
  scanned_at timestamptz not null,
  undone_at timestamptz not null,
  primary key (event_id, ticket_id, scanned_at),
  foreign key (event_id, ticket_id) references tickets
);
