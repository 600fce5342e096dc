-- The units that its members' tickets take: the sum over the members of reserved tickets times units.
alter table shared_capacities
  add column reserved integer not null default 0,
  add column free integer not null generated always as (capacity - reserved) stored,
  add constraint capacity_never_exceeded check (reserved between 0 and capacity);
