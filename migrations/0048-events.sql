-- Seats that several ticket types sell from.
create table shared_capacities (
  event_id text not null references events,
  id uuid not null,
  position integer not null,
  name text not null,
  capacity integer not null check (capacity > 0),
  primary key (event_id, id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create unique index shared_capacities_name on shared_capacities (event_id, lower(name));

create table shared_capacity_members (
  event_id text not null,
  ticket_type_id uuid not null,
  shared_capacity_id uuid not null,
  -- Of the capacity, for each ticket.
  units integer not null check (units between 1 and 100),
  primary key (event_id, ticket_type_id, shared_capacity_id),
  foreign key (event_id, ticket_type_id) references ticket_types,
  foreign key (event_id, shared_capacity_id) references shared_capacities
);
create index shared_capacity_members_capacity on shared_capacity_members (event_id, shared_capacity_id);
-- Whether it is a member of any. Most types are not, and a sale then looks for nothing.
alter table ticket_types add column shares_capacity boolean not null default false;
