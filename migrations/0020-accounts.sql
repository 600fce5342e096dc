-- The organization that an operator views as support, and until when.
alter table sessions
  add column acting_as uuid references organizations on delete set null,
  add column acting_until timestamptz;
create index sessions_acting on sessions (acting_as) where acting_as is not null;
