create table abuse_reports (
  -- Chosen by the reporter's browser, so that a repeated request is one report.
  id uuid primary key,
  event_id text not null references events,
  reason text not null check (reason in ('not-real', 'misleading', 'rights', 'harmful', 'other')),
  -- In the reporter's words; may be empty.
  text text not null check (length(text) <= 1000),
  -- A keyed hash of the network and the event; null for this machine.
  network_hash bigint,
  at timestamptz not null,
  handled_at timestamptz,
  handled_by uuid references users,
  constraint handled_by_someone check ((handled_at is null) = (handled_by is null))
);
create index abuse_reports_open on abuse_reports (event_id, at) where handled_at is null;
create index abuse_reports_oldest on abuse_reports (at);
