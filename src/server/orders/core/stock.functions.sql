-- The only statement that writes stock. Adds `changes` to the reserved tickets of these types, whose rows it locks in the order of
-- their ids.
create or replace function change_stock(event_ids text[], type_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform from ticket_types t
    where (t.event_id, t.id) in (select c.event_id, c.id from unnest(event_ids, type_ids) as c (event_id, id))
    order by t.id for no key update;
  update ticket_types t set reserved = t.reserved + c.change
    from (select event_id, id, sum(change)::integer as change
            from unnest(event_ids, type_ids, changes) as c (event_id, id, change)
           group by event_id, id) as c
   where t.event_id = c.event_id and t.id = c.id and c.change <> 0;
end $$;

-- Releases the tickets of orders, whose locks the caller holds, and their queue positions.
create or replace function release_lines(event_ids text[], order_ids uuid[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  line_events text[];
  line_types uuid[];
  changes integer[];
begin
  delete from checkout_queue q using unnest(event_ids, order_ids) as o (event_id, id)
   where q.event_id = o.event_id and q.order_id = o.id;
  select array_agg(event_id), array_agg(ticket_type_id), array_agg(change) into line_events, line_types, changes
    from (select l.event_id, l.ticket_type_id, -sum(l.quantity)::integer as change
            from unnest(event_ids, order_ids) as o (event_id, id)
            join order_lines l on l.event_id = o.event_id and l.order_id = o.id
           group by l.event_id, l.ticket_type_id) as lines;
  if line_types is not null then perform change_stock(line_events, line_types, changes); end if;
end $$;

-- Reserves the tickets of an expired order again, all or none, for a payment that arrives late. The caller holds the order's lock.
create or replace function reserve_again(of_event text, of_order uuid) returns boolean language plpgsql as $$
declare
  type_ids uuid[];
  quantities integer[];
begin
  perform from ticket_types t
    where t.event_id = of_event
      and t.id in (select l.ticket_type_id from order_lines l where l.event_id = of_event and l.order_id = of_order)
    order by t.id for no key update;
  select array_agg(t.id), array_agg(wanted.quantity) into type_ids, quantities
    from (select ticket_type_id, sum(quantity)::integer as quantity
            from order_lines where event_id = of_event and order_id = of_order group by ticket_type_id) as wanted
    left join ticket_types t
      on t.event_id = of_event and t.id = wanted.ticket_type_id and t.removed_at is null and t.available >= wanted.quantity;
  if array_position(type_ids, null) is not null then return false; end if;
  perform change_stock(array_fill(of_event, array[cardinality(type_ids)]), type_ids, quantities);
  return true;
end $$;

-- Releases expired reservations without a payment page: at most so many, from the given expiry on. With an event, all of its
-- reservations without a page, expired or not: it was cancelled. One server at a time; the others wait or get no row. Returns how
-- many were released, and the latest expiry among them.
--
-- Orders first and stock last, unlike everywhere else, so that contended rows are locked for the shortest time. It cannot deadlock:
-- locked orders are skipped, and stock that is locked by a transaction waiting for such an order is waited for half a second only.
create or replace function release_expired(lock_key bigint, at_most integer, since timestamptz, of_event text, waits boolean)
returns table (released integer, reached timestamptz) language plpgsql
-- A few thousand of perhaps millions: rows are looked up by their keys, whatever the planner takes from old statistics. One or two
-- lines per order: a bitmap for each takes a third of the time.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment timestamptz := case when of_event is null then business_now() else 'infinity' end;
  event_ids text[];
  order_ids uuid[];
begin
  if waits then
    perform pg_advisory_xact_lock(lock_key);
  elsif not pg_try_advisory_xact_lock(lock_key) then
    return;
  end if;
  perform set_config('lock_timeout', '500ms', true);

  with due as materialized (
    select o.ctid as row_at, o.event_id, o.id, o.reservation_expires_at from orders o
     where o.state = 'reserved' and o.session_id is null and o.reservation_expires_at >= since and o.reservation_expires_at <= moment
       and (of_event is null or o.event_id = of_event)
     order by o.reservation_expires_at
     limit at_most
       for no key update skip locked),
  expired as (
    update orders o set state = 'expired' from due
     where o.ctid = due.row_at and o.event_id = due.event_id and o.id = due.id
    returning o.event_id, o.id, o.reservation_expires_at)
  select count(*), max(reservation_expires_at), array_agg(event_id), array_agg(id) into released, reached, event_ids, order_ids
    from expired;
  if released > 0 then perform release_lines(event_ids, order_ids); end if;
  return next;
end $$;
