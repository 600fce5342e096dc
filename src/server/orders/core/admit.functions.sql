-- The same as denyAdmission in src/domain/check-in.ts; a test compares them.
create or replace function may_be_admitted(state text, disputed_at timestamptz, cancelled_at timestamptz) returns boolean
  language sql immutable
  as $$ select state = 'valid' and disputed_at is null and cancelled_at is null $$;

-- How lists show a ticket.
create or replace function listed_state(state text, disputed_at timestamptz) returns text
  language sql immutable
  as $$ select case when state = 'valid' and disputed_at is not null then 'disputed' else state end $$;

-- The same as isEarlyCheckIn in src/domain/early-check-in.ts; a test compares them.
create or replace function is_early_check_in(scanned_at timestamptz, starts_at timestamptz) returns boolean
  language sql stable
  as $$ select scanned_at < starts_at - interval '12 hours' $$;

-- Admits tickets in one statement and one commit, each at most once: the first scan in the arrays wins. Records early check-ins.
-- Returns, by index in the arrays, the admitted tickets, and for each denied one its locked row. A scan without a time is one of now. Without `waits`, a locked
-- ticket gets no row; with it, the tickets are locked in the order of their ids. No row for a ticket that does not exist, or that an
-- earlier scan in the arrays names.
create or replace function admit_tickets(events_asked text[], numbers_asked text[], scanners uuid[], scans uuid[], times timestamptz[], waits boolean)
  returns table (index bigint, is_admitted boolean, ticket_name text, is_add_on boolean, state text, scanned_at timestamptz, scanned_by uuid, scan_id uuid,
                 disputed_at timestamptz, cancelled_at timestamptz, timezone text,
                 opens_at timestamptz, closes_at timestamptz, now timestamptz, has_door_notes boolean) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  -- Evaluated once instead of for every row.
  moment timestamptz := business_now();
begin
  if waits then
    perform from tickets t
      where (t.event_id, t.confirmation_number) in (
        select asked.event_id, asked.number from unnest(events_asked, numbers_asked) as asked (event_id, number))
      order by t.id for no key update;
  end if;

  return query
  with found as (
    select s.index, s.scanner, s.scan, coalesce(s.at, moment) as at, t.*, e.cancelled_at, e.timezone, e.has_door_notes,
           is_early_check_in(coalesce(s.at, moment), e.latest_starts_at) as is_early,
           (select y.is_add_on from ticket_types y where y.event_id = t.event_id and y.id = t.ticket_type_id) as is_add_on,
           hours.opens_at, hours.closes_at,
           may_be_admitted(t.state, t.disputed_at, e.cancelled_at)
             and is_within_hours(hours.opens_at, hours.closes_at, coalesce(s.at, moment)) as is_admissible
      from (select distinct on (event_id, confirmation_number) *
              from unnest(events_asked, numbers_asked, scanners, scans, times)
                     with ordinality as asked (event_id, confirmation_number, scanner, scan, at, index)
             order by event_id, confirmation_number, index) as s
      join events e on e.id = s.event_id
     cross join lateral (
       select check_in_opens(e.starts_at, e.check_in_opens_at, e.check_in_closes_at) as opens_at,
              check_in_closes(e.ends_at, e.check_in_opens_at, e.check_in_closes_at) as closes_at) as hours
     cross join lateral (
       select * from tickets
        where event_id = s.event_id and confirmation_number = s.confirmation_number
          for no key update skip locked) as t
  ), admitted as (
    update tickets t
       set state = 'scanned', scanned_at = f.at, scanned_by = f.scanner, scan_id = f.scan
      from found f
     where t.event_id = f.event_id
       and t.id = f.id
       and f.is_admissible
       and t.state = 'valid'
    returning f.index, t.ticket_name, f.is_add_on, t.event_id, t.id, t.scanned_at, f.is_early, f.has_door_notes
  ), early as (
    insert into early_check_ins (event_id, id, ticket_id, scanned_at, recorded_at)
    select event_id, new_row_id(), id, scanned_at, moment from admitted where is_early
  )
  -- Of an admitted ticket, the caller needs only its name, its kind, and whether to look for notes.
  select index, true, ticket_name, is_add_on, null, null::timestamptz, null::uuid, null::uuid, null::timestamptz, null::timestamptz, null,
         null::timestamptz, null::timestamptz, null::timestamptz, has_door_notes
    from admitted
  union all
  select f.index, false, f.ticket_name, f.is_add_on, f.state, f.scanned_at, f.scanned_by, f.scan_id, f.disputed_at, f.cancelled_at, f.timezone, f.opens_at,
         f.closes_at, moment, f.has_door_notes
    from found f
   where not f.is_admissible;
end $$;

-- Emails the buyers of early check-ins, in the transaction that admits. A ticket that is checked in and undone over and over is emailed
-- a few times a day; each of those links shows its latest check-in.
create or replace function early_check_ins_are_emailed() returns trigger language plpgsql as $$
begin
  if not exists (select from recorded) then return null; end if;
  perform queue_emails('early-check-in', array_agg(r.id::text order by r.id), array_agg(t.buyer_email order by r.id),
                       array_agg(jsonb_build_object('eventId', r.event_id) order by r.id), business_now())
     from recorded r
     join tickets t on t.event_id = r.event_id and t.id = r.ticket_id
    where (select count(*) from early_check_ins e
            where e.event_id = r.event_id and e.ticket_id = r.ticket_id
              and e.recorded_at > r.recorded_at - interval '1 day') <= 5;
  return null;
end $$;

create or replace trigger early_check_ins_emailed after insert on early_check_ins
  referencing new table as recorded
  for each statement execute function early_check_ins_are_emailed();
