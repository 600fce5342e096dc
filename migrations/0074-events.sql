-- An unlisted event is reached by its link only.
alter table events add column is_listed boolean not null default true;

alter table events add column venue_name text check (length(venue_name) between 1 and 100);
alter table event_changes add column venue_name text;

-- The style sheets of accents, by the hash of their text.
create table look_files (
  hash text primary key check (hash ~ '^[\w-]{22}$'),
  css text not null,
  created_at timestamptz not null
);
