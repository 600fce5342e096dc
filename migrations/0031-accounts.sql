-- An operator suspended the organization.
alter table organizations
  add column suspended_at timestamptz,
  add column suspended_by uuid references users,
  -- Shown to the organizer.
  add column suspend_reason text,
  add constraint suspensions_say_who_and_why check (num_nonnulls(suspended_at, suspended_by, suspend_reason) in (0, 3));
