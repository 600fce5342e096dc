-- A series joins events of one organization. Each date is an event with its own tickets, orders, door and payout.
create table series (
  -- In links, like the id of an event.
  id text primary key check (length(id) = 16),
  organization_id uuid not null references organizations,
  created_at timestamptz not null,
  unique (organization_id, id)
);

alter table events
  -- What tells a date from the others of its series.
  add column subtitle text check (length(subtitle) between 1 and 50),
  add column series_id text,
  add constraint events_series_id_fkey foreign key (organization_id, series_id) references series (organization_id, id);
create index events_series on events (series_id, starts_at) where series_id is not null;
