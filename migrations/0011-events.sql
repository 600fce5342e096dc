-- The latest start announced since the first sale. Check-ins long before it are early, even if the start was moved closer.
alter table events
  add column announced_starts_at timestamptz,
  add column latest_starts_at timestamptz not null generated always as (greatest(starts_at, announced_starts_at)) stored;

-- Check-in hours, optional. With one of them set, the other has a default: 12 hours before the start, 12 hours after the end.
alter table events
  add column check_in_opens_at timestamptz,
  add column check_in_closes_at timestamptz,
  add constraint check_in_opens_in_time
    check (check_in_opens_at >= starts_at - interval '12 hours'
           and check_in_opens_at <= coalesce(check_in_closes_at, ends_at + interval '12 hours')),
  add constraint check_in_closes_in_time check (check_in_closes_at between starts_at and ends_at + interval '1 day');

-- outside-hours: the guest came in when check-in was closed.
alter table offline_scans
  drop constraint offline_scans_result_check,
  add constraint offline_scans_result_check
    check (result in ('first', 'again', 'double', 'refunded', 'cancelled', 'disputed', 'outside-hours', 'unknown'));
