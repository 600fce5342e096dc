-- Who did what of weight, for the day when somebody asks. Rows are only ever added; in them are ids, and nobody's name or address.
create table audit_entries (
  id uuid primary key,
  at timestamptz not null,
  -- The account that did it. Null: a buyer or somebody with a mailed link, who has none.
  actor_id uuid,
  act text not null,
  -- What it was done to: an account, an event, a payout.
  subject text not null,
  event_id text,
  -- Where from, under a key that is not in the database; null where a job did it.
  network_hash text
);
create index audit_entries_actor on audit_entries (actor_id, id);
create index audit_entries_event on audit_entries (event_id, id) where event_id is not null;

create function audit_entries_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is never changed or removed';
end $$;

create trigger audit_entries_append_only
  before update or delete or truncate on audit_entries
  for each statement execute function audit_entries_are_append_only();
