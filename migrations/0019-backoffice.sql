-- What operators are emailed about: once when it is raised, then daily until it is resolved.
create table alerts (
  id uuid primary key,
  kind text not null,
  -- A code or an id, unique within its kind while the alert lasts.
  subject text not null,
  raised_at timestamptz not null,
  last_sent_at timestamptz,
  resolved_at timestamptz
);
create unique index alerts_open on alerts (kind, subject) where resolved_at is null;
create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;
