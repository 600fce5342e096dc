-- Pages of a guest list. With stale statistics, the planner takes a new event for nearly empty and sorts all of its tickets
-- for one page. Disabling sorts forces the index order, so that the last page of the longest list costs as much as the first.
create or replace function guests_in_order_of_sale(of_event text, after_ticket uuid, is_whole boolean, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
begin
  return query
    select t.* from tickets t
     where t.event_id = of_event
       and t.id > coalesce(after_ticket, '00000000-0000-0000-0000-000000000000')
       and (is_whole or counts_as_sold(t.state))
     order by t.event_id, t.id
     limit at_most;
end $$;

create or replace function guests_by_address(of_event text, beginning text, after_ticket uuid, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
declare
  last_address text := (select lower(buyer_email) from tickets where event_id = of_event and id = after_ticket);
begin
  return query
    select t.* from tickets t
     where t.event_id = of_event
       and (lower(t.buyer_email) collate "C", t.id)
           > (coalesce(last_address, lower(beginning)), coalesce(after_ticket, '00000000-0000-0000-0000-000000000000'))
       -- The highest code point: an upper bound for every address with this prefix.
       and lower(t.buyer_email) collate "C" < lower(beginning) || chr(1114111)
     order by t.event_id, lower(t.buyer_email) collate "C", t.id
     limit at_most;
end $$;

create or replace function guests_by_number(of_event text, beginning text, after_ticket uuid, at_most integer)
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

create or replace function operator_actions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator did is never changed or removed';
end $$;

create or replace trigger operator_actions_append_only
  before update or delete or truncate on operator_actions
  for each statement execute function operator_actions_are_append_only();
