-- Locks nothing: a new table.
-- The last check of a backup: restored next to the running database and examined.
create table last_backup_check (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  checked_at timestamptz not null,
  -- Null if it passed.
  failed_step text,
  seconds integer not null check (seconds >= 0),
  passed_at timestamptz
);
