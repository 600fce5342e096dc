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

-- The last ones of an event: ids are in the order of time. With its own settings for the reason above.
create or replace function latest_tickets(of_event text, at_most integer)
  returns setof tickets language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
begin
  return query select t.* from tickets t where t.event_id = of_event order by t.event_id desc, t.id desc limit at_most;
end $$;

-- Without those that came to nothing, and those of whole orders, which never had a ticket.
create or replace function latest_refunds(of_event text, at_most integer)
  returns setof refunds language plpgsql stable rows 100 set enable_sort = off set enable_bitmapscan = off as $$
begin
  return query
    select r.* from refunds r
     where r.event_id = of_event and r.ticket_id is not null and r.state not in ('refused', 'restored')
     order by r.event_id desc, r.id desc limit at_most;
end $$;

create or replace function operator_actions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator did is never changed or removed';
end $$;

create or replace trigger operator_actions_append_only
  before update or delete or truncate on operator_actions
  for each statement execute function operator_actions_are_append_only();

-- The guest list by name. A page reads all of the event's tickets and keeps the first ones, which serves every filter and search with
-- one plan, 50,000 guests in 50 ms, and no index that sales would write. What is shown of the guests is read for those that are kept. Nested
-- loops are disabled because with stale statistics the planner would look up each guest's name on its own.

-- Guests without a name are sorted by their address. On paper, which shows none, they follow the others, by the end of their number.
create or replace function guest_sort_key(guest_name text, email text, confirmation_number text, is_printed boolean)
  returns text language sql immutable as $$
  select lower(coalesce(guest_name, case when is_printed then chr(1114111) || right(confirmation_number, 4) else email end))
$$;

-- How a ticket came to its guest, by its batch of comps if there is one.
create or replace function channel_of(is_import boolean) returns text
  language sql immutable
  as $$ select case when is_import is null then 'online' when is_import then 'import' else 'comp' end $$;

-- Inlined by its callers, so it has no settings of its own. Null filters let everything through.
create or replace function listed_guests(
  of_event text, searched text, searched_digits text, of_states text[], of_type uuid, of_channel text, of_question text, of_answer text,
  is_printed boolean
) returns table (ticket_id uuid, sort_key text, ticket_type_id uuid, state text, channel text) language sql stable as $$
  select t.id, guest_sort_key(w.name, w.email, t.confirmation_number, is_printed), t.ticket_type_id, w.state, w.channel
    from tickets t
    left join order_guests g on g.event_id = of_event and g.ticket_id = t.id
    -- The others have nothing to say, and many events have no such order.
    left join orders o on o.event_id = of_event and o.id = t.order_id and (o.buyer_name is not null or o.comp_batch_id is not null)
    left join comp_batches c on c.event_id = of_event and c.id = o.comp_batch_id
   cross join lateral (
     -- A guest without a name goes by that of the buyer.
     select coalesce(g.name, case when t.transferred_count = 0 then o.buyer_name end) as name, coalesce(t.buyer_email, '') as email,
            listed_state(t.state, t.disputed_at) as state,
            channel_of(c.is_import) as channel) as w
   where t.event_id = of_event
     and (of_states is null or w.state = any (of_states))
     and (of_type is null or t.ticket_type_id = of_type)
     and (of_channel is null or w.channel = of_channel)
     and (searched is null
          or starts_with(lower(w.name), searched) or position(' ' || searched in lower(w.name)) > 0
          or starts_with(lower(w.email), searched)
          or starts_with(searched, '@') and position(searched in lower(w.email)) > 0
          or starts_with(t.confirmation_number, searched_digits)
          or right(t.confirmation_number, length(searched_digits)) = searched_digits)
     and (of_question is null
          or case when of_answer is null then g.answers ? of_question else (g.answers -> of_question) ? of_answer end
          or t.order_id in (select a.order_id from order_guests a
                             where a.event_id = of_event and a.position = 0
                               and case when of_answer is null then a.answers ? of_question else (a.answers -> of_question) ? of_answer end))
$$;

-- After one ticket's place in the list, up to and including another's, whether they are still listed or not.
create or replace function guest_list_page(
  of_event text, searched text, searched_digits text, of_states text[], of_type uuid, of_channel text, of_question text, of_answer text,
  is_printed boolean, after_ticket uuid, until_ticket uuid, at_most integer
) returns table (ticket_id uuid, sort_key text) language plpgsql stable rows 100 set enable_nestloop = off set work_mem = '32MB' as $$
#variable_conflict use_column
declare
  after_key text;
  until_key text;
begin
  select max(place.key) filter (where t.id = after_ticket), max(place.key) filter (where t.id = until_ticket)
    into after_key, until_key
    from tickets t
    join orders o on o.event_id = of_event and o.id = t.order_id
    left join order_guests g on g.event_id = of_event and g.ticket_id = t.id
   cross join lateral (
     select guest_sort_key(coalesce(g.name, case when t.transferred_count = 0 then o.buyer_name end), coalesce(t.buyer_email, ''),
                           t.confirmation_number, is_printed) as key) as place
   where t.event_id = of_event and t.id in (after_ticket, until_ticket);
  return query
    select l.ticket_id, l.sort_key
      from listed_guests(of_event, searched, searched_digits, of_states, of_type, of_channel, of_question, of_answer, is_printed) as l
     where (after_key is null or (l.sort_key collate "C", l.ticket_id) > (after_key, after_ticket))
       and (until_key is null or (l.sort_key collate "C", l.ticket_id) <= (until_key, until_ticket))
     order by l.sort_key collate "C", l.ticket_id
     limit at_most;
end $$;

-- Every so many guests one, in order: the ends of the pages. Only servers of the previous release call it.
create or replace function guest_list_marks(
  of_event text, searched text, searched_digits text, of_states text[], of_type uuid, of_channel text, of_question text, of_answer text,
  every integer
) returns table (ticket_id uuid) language plpgsql stable set enable_nestloop = off set work_mem = '32MB' as $$
#variable_conflict use_column
begin
  return query
    select n.ticket_id
      from (select l.ticket_id, row_number() over (order by l.sort_key collate "C", l.ticket_id) as number
              from listed_guests(of_event, searched, searched_digits, of_states, of_type, of_channel, of_question, of_answer, false) as l) as n
     where n.number % every = 0
     order by n.number;
end $$;

-- Without a search, no name needs to be read.
create or replace function guest_list_counts(of_event text, searched text, searched_digits text, of_question text, of_answer text)
  returns table (ticket_type_id uuid, state text, channel text, tickets bigint) language plpgsql stable
  set enable_nestloop = off set enable_sort = off set work_mem = '32MB' as $$
#variable_conflict use_column
begin
  if searched is null and of_question is null then
    return query
      select t.ticket_type_id, listed_state(t.state, t.disputed_at) as listed, channel_of(given.is_import) as channel, count(*)
        from tickets t
        left join (select o.id, c.is_import
                     from orders o
                     join comp_batches c on c.event_id = of_event and c.id = o.comp_batch_id
                    where o.event_id = of_event) as given on given.id = t.order_id
       where t.event_id = of_event
       group by t.ticket_type_id, listed, channel;
    return;
  end if;
  return query
    select l.ticket_type_id, l.state, l.channel, count(*)
      from listed_guests(of_event, searched, searched_digits, null, null, null, of_question, of_answer, false) as l
     group by l.ticket_type_id, l.state, l.channel;
end $$;

-- The list of orders, newest first. Like a page of guests, a page of orders reads all of the event's: one plan serves each filter.

create or replace function listed_orders(
  of_event text, searched text, searched_digits text, searched_id text, of_state text
) returns table (order_id uuid, state text) language sql stable as $$
  select o.id, w.state
    from orders o
    left join (select r.order_id, sum(r.cents) as cents from refunds r
                where r.event_id = of_event and r.state not in ('refused', 'restored')
                group by r.order_id) as back on back.order_id = o.id
    left join (select d.order_id from disputes d
                where d.event_id = of_event and d.state in ('inquiry', 'open', 'lost')
                group by d.order_id) as disputed on disputed.order_id = o.id
   cross join lateral (
     select case when o.state = 'reserved' then 'checkout'
                 when o.state = 'needs-review' and coalesce(back.cents, 0) < coalesce(o.received_cents, o.total_cents) then 'in-review'
                 when disputed.order_id is not null then 'disputed'
                 when o.comp_batch_id is not null then 'comp'
                 when o.total_cents = 0 then 'free'
                 when o.state = 'unfulfillable' or back.cents >= coalesce(o.received_cents, o.total_cents) then 'refunded'
                 when back.cents > 0 then 'partly-refunded'
                 else 'paid' end as state) as w
   where o.event_id = of_event
     and o.state <> 'expired'
     and (of_state is null or w.state = of_state)
     and (searched is null
          or starts_with(lower(o.buyer_name), searched) or position(' ' || searched in lower(o.buyer_name)) > 0
          or starts_with(lower(o.buyer_email), searched)
          or starts_with(searched, '@') and position(searched in lower(o.buyer_email)) > 0
          or right(replace(o.id::text, '-', ''), length(searched_id)) = searched_id
          or o.id in (select g.order_id from order_guests g
                       where g.event_id = of_event
                         and (starts_with(lower(g.name), searched) or position(' ' || searched in lower(g.name)) > 0))
          or o.id in (select t.order_id from tickets t
                       where t.event_id = of_event
                         and (starts_with(t.confirmation_number, searched_digits)
                              or right(t.confirmation_number, length(searched_digits)) = searched_digits)))
$$;

-- Before one order in time, back to another and with it. Their ids are in the order of their making.
create or replace function order_list_page(
  of_event text, searched text, searched_digits text, searched_id text, of_state text, after_order uuid, until_order uuid, at_most integer
) returns table (order_id uuid, state text) language plpgsql stable rows 100 set enable_nestloop = off set work_mem = '32MB' as $$
#variable_conflict use_column
begin
  return query
    select l.order_id, l.state
      from listed_orders(of_event, searched, searched_digits, searched_id, of_state) as l
     where (after_order is null or l.order_id < after_order)
       and (until_order is null or l.order_id >= until_order)
     order by l.order_id desc
     limit at_most;
end $$;

-- Every so many orders one, in order: the ends of the pages. Only servers of the previous release call it.
create or replace function order_list_marks(
  of_event text, searched text, searched_digits text, searched_id text, of_state text, every integer
) returns table (order_id uuid) language plpgsql stable set enable_nestloop = off set work_mem = '32MB' as $$
#variable_conflict use_column
begin
  return query
    select n.order_id
      from (select l.order_id, row_number() over (order by l.order_id desc) as number
              from listed_orders(of_event, searched, searched_digits, searched_id, of_state) as l) as n
     where n.number % every = 0
     order by n.number;
end $$;

create or replace function order_list_counts(of_event text, searched text, searched_digits text, searched_id text)
  returns table (state text, orders bigint) language plpgsql stable set enable_nestloop = off set work_mem = '32MB' as $$
#variable_conflict use_column
begin
  return query
    select l.state, count(*) from listed_orders(of_event, searched, searched_digits, searched_id, null) as l group by l.state;
end $$;

-- For the script that makes the backups, which may run where the product does not.
create or replace function record_backup() returns void language sql as $$
  insert into last_backup (finished_at) values (business_now())
      on conflict (is_the_only_row) do update set finished_at = excluded.finished_at;
$$;

-- For `npm run backup:verify`. `failed` names the step that failed; null if the backup is good.
create or replace function record_backup_check(failed text, took integer) returns void language sql as $$
  insert into last_backup_check (checked_at, failed_step, seconds, passed_at)
  values (business_now(), failed, took, case when failed is null then business_now() end)
      on conflict (is_the_only_row) do update
     set checked_at = excluded.checked_at, failed_step = excluded.failed_step, seconds = excluded.seconds,
         passed_at = coalesce(excluded.passed_at, last_backup_check.passed_at);
$$;

-- What an event sold by day, ticket type, channel, link and promo code. Reads all of its tickets. Nested loops are disabled because, without
-- statistics of the event, the planner would look up the line of each ticket on its own, three times as long.
create or replace function sold_by_day(of_event text, zone text)
  returns table (day date, type uuid, channel text, link uuid, code uuid, tickets bigint, gross_cents bigint, discount_cents bigint)
  language sql stable set enable_nestloop = off as $$
  select t.day, t.type, channel_of(b.is_import), o.link_id, l.promo_code_id, sum(t.tickets)::bigint, sum(t.gross_cents)::bigint,
         coalesce(sum(l.discount_cents * t.tickets) filter (where l.source = 'promo'), 0)::bigint
    from (select order_id, order_line_id, ticket_type_id as type, (issued_at at time zone zone)::date as day, count(*) as tickets,
                 sum(price_cents) as gross_cents
            from tickets where event_id = of_event
           group by 1, 2, 3, 4) as t
    join order_lines l on l.event_id = of_event and l.order_id = t.order_id and l.id = t.order_line_id
    join orders o on o.event_id = of_event and o.id = t.order_id
    left join comp_batches b on b.event_id = of_event and b.id = o.comp_batch_id
   group by 1, 2, 3, 4, 5;
$$;
