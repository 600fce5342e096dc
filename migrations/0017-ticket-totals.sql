-- How many tickets an event has sold, without counting them. Whatever changes tickets adds a row of what changed, which
-- no two sales have to wait for; a job folds those rows into one row for each event and price. The truth at any moment
-- is the sum of both, and one statement reads it from one snapshot.
create table ticket_totals (
  event_id text not null references events,
  price_cents integer not null,
  is_disputed boolean not null,
  -- All that were ever issued; of these, the ones that count as sold, the ones that came in, and the ones made void.
  issued integer not null,
  sold integer not null,
  scanned integer not null,
  voided integer not null,
  primary key (event_id, price_cents, is_disputed)
) with (fillfactor = 50);

create table ticket_total_changes (
  event_id text not null,
  id bigint generated always as identity,
  price_cents integer not null,
  is_disputed boolean not null,
  issued integer not null,
  sold integer not null,
  scanned integer not null,
  voided integer not null,
  primary key (event_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create view ticket_totals_now as
  select event_id, price_cents, is_disputed,
         sum(issued)::integer as issued, sum(sold)::integer as sold,
         sum(scanned)::integer as scanned, sum(voided)::integer as voided,
         -- How many rows wait to be folded.
         sum(is_change)::integer as changes
    from (select event_id, price_cents, is_disputed, issued, sold, scanned, voided, 0 as is_change from ticket_totals
          union all
          select event_id, price_cents, is_disputed, issued, sold, scanned, voided, 1 from ticket_total_changes) both_of_them
   group by event_id, price_cents, is_disputed;

-- By statement, not by ticket: a batch that admits or issues hundreds writes one row for each event and price in it.
create function tickets_are_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ticket_total_changes (event_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, price_cents, disputed_at is not null, count(*),
           count(*) filter (where state in ('valid', 'scanned')),
           count(*) filter (where state = 'scanned'), count(*) filter (where state = 'void')
      from now_there
     group by event_id, price_cents, disputed_at is not null;
  elsif tg_op = 'DELETE' then
    insert into ticket_total_changes (event_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, price_cents, disputed_at is not null, -count(*),
           -count(*) filter (where state in ('valid', 'scanned')),
           -count(*) filter (where state = 'scanned'), -count(*) filter (where state = 'void')
      from was_there
     group by event_id, price_cents, disputed_at is not null;
  else
    insert into ticket_total_changes (event_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, price_cents, disputed, sum(n),
           coalesce(sum(n) filter (where state in ('valid', 'scanned')), 0),
           coalesce(sum(n) filter (where state = 'scanned'), 0), coalesce(sum(n) filter (where state = 'void'), 0)
      from (select event_id, price_cents, disputed_at is not null as disputed, state, 1 as n from now_there
            union all
            select event_id, price_cents, disputed_at is not null, state, -1 from was_there) change
     group by event_id, price_cents, disputed
    having sum(n) <> 0
        or sum(n) filter (where state in ('valid', 'scanned')) <> 0
        or sum(n) filter (where state = 'scanned') <> 0
        or sum(n) filter (where state = 'void') <> 0;
  end if;
  return null;
end $$;

create trigger tickets_counted_when_issued after insert on tickets
  referencing new table as now_there
  for each statement execute function tickets_are_counted();
create trigger tickets_counted_when_changed after update on tickets
  referencing new table as now_there old table as was_there
  for each statement execute function tickets_are_counted();
create trigger tickets_counted_when_removed after delete on tickets
  referencing old table as was_there
  for each statement execute function tickets_are_counted();

-- The triggers above hold off every other change of tickets until this is committed, so none is missed or counted twice.
insert into ticket_totals (event_id, price_cents, is_disputed, issued, sold, scanned, voided)
select event_id, price_cents, disputed_at is not null, count(*),
       count(*) filter (where state in ('valid', 'scanned')),
       count(*) filter (where state = 'scanned'), count(*) filter (where state = 'void')
  from tickets
 group by event_id, price_cents, disputed_at is not null;

-- The search of a long guest list, by how an address begins. Byte order, so that a beginning is a range.
create index tickets_buyer on tickets (event_id, (lower(buyer_email) collate "C"), id);

-- Pages of a guest list. What PostgreSQL knows of an event may be older than the event's sales; it then takes the event
-- for nearly empty and sorts all its tickets for one page. A plan with a sort is not to be had in here, so that the last
-- page of the longest list costs what the first one does.
create function guests_in_order_of_sale(of_event text, after_ticket uuid, is_whole boolean, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
begin
  return query
    select t.* from tickets t
     where t.event_id = of_event
       and t.id > coalesce(after_ticket, '00000000-0000-0000-0000-000000000000')
       and (is_whole or t.state in ('valid', 'scanned'))
     order by t.event_id, t.id
     limit at_most;
end $$;

create function guests_by_address(of_event text, beginning text, after_ticket uuid, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
declare
  last_address text := (select lower(buyer_email) from tickets where event_id = of_event and id = after_ticket);
begin
  return query
    select t.* from tickets t
     where t.event_id = of_event
       and (lower(t.buyer_email) collate "C", t.id)
           > (coalesce(last_address, lower(beginning)), coalesce(after_ticket, '00000000-0000-0000-0000-000000000000'))
       -- No character comes after this one.
       and lower(t.buyer_email) collate "C" < lower(beginning) || chr(1114111)
     order by t.event_id, lower(t.buyer_email) collate "C", t.id
     limit at_most;
end $$;

create function guests_by_number(of_event text, beginning text, after_ticket uuid, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
declare
  last_number text := (select confirmation_number from tickets where event_id = of_event and id = after_ticket);
begin
  return query
    select t.* from tickets t
     where t.event_id = of_event
       and t.confirmation_number >= rpad(beginning, 10, '0')
       and t.confirmation_number <= rpad(beginning, 10, '9')
       and t.confirmation_number > coalesce(last_number, '')
     order by t.event_id, t.confirmation_number
     limit at_most;
end $$;

-- The refunds of one ticket, whatever became of them: each ticket of a cancelled event asks, so none may look at all.
create index refunds_ticket on refunds (event_id, ticket_id) where ticket_id is not null;

-- Until the next analysis, a new event is missing from what PostgreSQL knows of the events in these tables. It would
-- take it for empty, find every index that begins with the event as good as the right one, and read all tickets of the
-- event for each guest at the door. Without statistics it expects something of every event. What it has gathered before would stay:
-- a column whose type is set, be it to the one that it has, forgets that, and nothing is rewritten.
alter table tickets alter column event_id type text, alter column event_id set statistics 0;
alter table orders alter column event_id type text, alter column event_id set statistics 0;
alter table refunds alter column event_id type text, alter column event_id set statistics 0;
alter table ledger_entries alter column event_id type text, alter column event_id set statistics 0;
