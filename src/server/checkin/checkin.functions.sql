-- Checks in many tickets in one statement and one commit. Returns, by position in the arrays, the admitted tickets, and for each
-- denied one its locked row and the name of the device that scanned it. Never waits: returns no row for a ticket that is locked
-- or does not exist, or that an earlier scan in the arrays names.
create or replace function admit_tickets(events_asked text[], numbers_asked text[], scanners uuid[], scans uuid[])
  returns table (index bigint, is_admitted boolean, ticket_name text, state text, scanned_at timestamptz, scanned_by uuid, scan_id uuid,
                 device_name text, disputed_at timestamptz, cancelled_at timestamptz, timezone text, now timestamptz) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  -- Evaluated once instead of for every row.
  moment timestamptz := business_now();
begin
  return query
  with found as (
    select s.index, s.scanner, s.scan, t.*, e.cancelled_at, e.timezone,
           t.state = 'valid' and t.disputed_at is null and e.cancelled_at is null as is_admissible
      from (select distinct on (event_id, confirmation_number) *
              from unnest(events_asked, numbers_asked, scanners, scans)
                     with ordinality as asked (event_id, confirmation_number, scanner, scan, index)
             order by event_id, confirmation_number, index) as s
      join events e on e.id = s.event_id
     cross join lateral (
       select * from tickets
        where event_id = s.event_id and confirmation_number = s.confirmation_number
          for no key update skip locked) as t
  ), admitted as (
    update tickets t
       set state = 'scanned', scanned_at = moment, scanned_by = f.scanner, scan_id = f.scan
      from found f
     where t.event_id = f.event_id
       and t.id = f.id
       and f.is_admissible
       and t.state = 'valid'
    returning f.index, t.ticket_name
  )
  -- The caller needs only the name of an admitted ticket.
  select index, true, ticket_name, null, null::timestamptz, null::uuid, null::uuid, null, null::timestamptz, null::timestamptz, null, null::timestamptz
    from admitted
  union all
  select f.index, false, f.ticket_name, f.state, f.scanned_at, f.scanned_by, f.scan_id, d.name, f.disputed_at, f.cancelled_at, f.timezone, moment
    from found f
    left join check_in_devices d on d.event_id = f.event_id and d.id = f.scanned_by
   where not f.is_admissible;
end $$;

-- Invalidates the cached grant rules when a device is removed or comes back.
create or replace trigger check_in_devices_announced after update of removed_at on check_in_devices
  for each row execute function announce_event_of_part();
