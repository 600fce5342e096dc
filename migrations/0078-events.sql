-- A change of several dates of a series. A job carries it out, one date per transaction.
create table series_changes (
  -- Of the request, which may be sent twice.
  id uuid primary key,
  series_id text not null references series,
  -- Null once it is over.
  user_id uuid,
  kind text not null check (kind in ('edit', 'cancel')),
  -- What an edit changes. Null once it is over.
  edit jsonb,
  created_at timestamptz not null,
  completed_at timestamptz,
  check (completed_at is not null or (user_id is not null and (kind = 'cancel' or edit is not null)))
);
create index series_changes_series on series_changes (series_id, created_at);

-- Its dates, and what became of each.
create table series_change_dates (
  event_id text not null references events on delete cascade,
  change_id uuid not null references series_changes on delete cascade,
  -- The date whose form was edited; one in scope; one that takes the title alone.
  part text not null check (part in ('own', 'scope', 'title')),
  result text check (result in ('updated', 'unchanged', 'cancelled', 'denied')),
  denial text,
  denial_params jsonb,
  primary key (event_id, change_id),
  check ((result is not distinct from 'denied') = (denial is not null))
);
create index series_change_dates_change on series_change_dates (change_id);
