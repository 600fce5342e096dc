-- When the operator's last backup finished, as their script reports it.
create table last_backup (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  finished_at timestamptz not null
);
