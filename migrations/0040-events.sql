-- Title and description that buyers were shown and that an edit replaced. Evidence for a dispute quotes them.
create table event_texts (
  event_id text not null references events,
  id uuid not null,
  title text not null,
  description text not null,
  replaced_at timestamptz not null,
  primary key (event_id, id)
);
