-- The only statement that writes the stock of ticket types. Adds `changes` to their reserved tickets. The caller has locked the rows.
create or replace function change_locked_types(event_ids text[], type_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update ticket_types t set reserved = t.reserved + c.change
    from (select event_id, id, sum(change)::integer as change
            from unnest(event_ids, type_ids, changes) as c (event_id, id, change)
           group by event_id, id) as c
   where t.event_id = c.event_id and t.id = c.id and c.change <> 0;
end $$;

-- The same for shared capacities, in units.
create or replace function change_locked_capacities(event_ids text[], capacity_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update shared_capacities c set reserved = c.reserved + p.change
    from unnest(event_ids, capacity_ids, changes) as p (event_id, id, change)
   where c.event_id = p.event_id and c.id = p.id and p.change <> 0;
end $$;

-- Both, for types whose rows the caller has locked. Locks the capacities in the order of their ids.
create or replace function change_locked_stock(event_ids text[], type_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  pool_events text[];
  pools uuid[];
  units integer[];
begin
  perform change_locked_types(event_ids, type_ids, changes);
  select array_agg(event_id), array_agg(shared_capacity_id), array_agg(change) into pool_events, pools, units
    from (select m.event_id, m.shared_capacity_id, sum(c.change * m.units)::integer as change
            from unnest(event_ids, type_ids, changes) as c (event_id, id, change)
            join ticket_types t on t.event_id = c.event_id and t.id = c.id and t.shares_capacity
            join shared_capacity_members m on m.event_id = t.event_id and m.ticket_type_id = t.id
           group by m.event_id, m.shared_capacity_id) as m;
  if pools is null then return; end if;
  perform from shared_capacities c
    where (c.event_id, c.id) in (select p.event_id, p.id from unnest(pool_events, pools) as p (event_id, id))
    order by c.id for no key update;
  perform change_locked_capacities(pool_events, pools, units);
end $$;

-- Uses of promo codes, by tickets that have one. The caller has locked the codes.
create or replace function change_locked_promo_uses(event_ids text[], promo_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  update promo_codes c set uses = c.uses + u.change
    from (select event_id, id, sum(change)::integer as change
            from unnest(event_ids, promo_ids, changes) as u (event_id, id, change)
           group by event_id, id) as u
   where c.event_id = u.event_id and c.id = u.id and u.change <> 0;
end $$;

-- The same, and locks the codes in the order of their ids: after the stock, before orders.
create or replace function change_promo_uses(event_ids text[], promo_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform from promo_codes c
    where (c.event_id, c.id) in (select u.event_id, u.id from unnest(event_ids, promo_ids) as u (event_id, id))
    order by c.id for no key update;
  perform change_locked_promo_uses(event_ids, promo_ids, changes);
end $$;

-- The orders that have a code were priced with what it is.
create or replace function keep_used_promo_code() returns trigger language plpgsql as $$
begin
  if old.uses > 0 and (new.kind, new.value, new.is_for_all) is distinct from (old.kind, old.value, old.is_for_all) then
    raise 'promo code % is used', old.id;
  end if;
  return new;
end $$;

create or replace trigger used_promo_codes_are_kept before update of kind, value, is_for_all on promo_codes
  for each row execute function keep_used_promo_code();

-- The event page offers to enter a code while there are any. `of ended_at`: sales count uses in the same rows.
create or replace trigger promo_codes_announced after insert or update of ended_at on promo_codes
  for each row execute function announce_event_of_part();

-- A ticket type that joins or leaves a capacity brings or takes the units of its reserved tickets. The caller has locked the types.
create or replace function count_member() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update shared_capacities c set reserved = c.reserved - t.reserved * old.units
      from ticket_types t
     where c.event_id = old.event_id and c.id = old.shared_capacity_id and t.event_id = old.event_id and t.id = old.ticket_type_id;
  end if;
  if tg_op <> 'DELETE' then
    update shared_capacities c set reserved = c.reserved + t.reserved * new.units
      from ticket_types t
     where c.event_id = new.event_id and c.id = new.shared_capacity_id and t.event_id = new.event_id and t.id = new.ticket_type_id;
  end if;
  return null;
end $$;

create or replace trigger members_are_counted after insert or update or delete on shared_capacity_members
  for each row execute function count_member();

-- Changes the stock of types whose rows it locks, in the order of their ids.
create or replace function change_stock(event_ids text[], type_ids uuid[], changes integer[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  perform from ticket_types t
    where (t.event_id, t.id) in (select c.event_id, c.id from unnest(event_ids, type_ids) as c (event_id, id))
    order by t.id for no key update;
  perform change_locked_stock(event_ids, type_ids, changes);
end $$;

-- Releases the tickets of orders, whose locks the caller holds, and their queue positions.
create or replace function release_lines(event_ids text[], order_ids uuid[]) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  line_events text[];
  line_types uuid[];
  changes integer[];
  has_promo boolean;
begin
  delete from checkout_queue q using unnest(event_ids, order_ids) as o (event_id, id)
   where q.event_id = o.event_id and q.order_id = o.id;
  select array_agg(event_id), array_agg(ticket_type_id), array_agg(change), bool_or(is_promo) into line_events, line_types, changes, has_promo
    from (select l.event_id, l.ticket_type_id, -sum(l.quantity)::integer as change, bool_or(l.promo_code_id is not null) as is_promo
            from unnest(event_ids, order_ids) as o (event_id, id)
            join order_lines l on l.event_id = o.event_id and l.order_id = o.id
           group by l.event_id, l.ticket_type_id) as lines;
  if line_types is not null then perform change_stock(line_events, line_types, changes); end if;
  if has_promo then
    perform change_promo_uses(array_agg(l.event_id), array_agg(l.promo_code_id), array_agg(-l.quantity))
       from unnest(event_ids, order_ids) as o (event_id, id)
       join order_lines l on l.event_id = o.event_id and l.order_id = o.id and l.promo_code_id is not null;
  end if;
end $$;

-- Releases the stock and the promo codes of issued tickets, each of them once.
create or replace function release_tickets(of_event text, ticket_ids uuid[]) returns void language plpgsql as $$
begin
  perform change_stock(array_agg(t.event_id), array_agg(t.ticket_type_id), array_agg(-1))
     from tickets t where t.event_id = of_event and t.id = any (ticket_ids)
   having count(*) > 0;
  perform change_promo_uses(array_agg(l.event_id), array_agg(l.promo_code_id), array_agg(-1))
     from tickets t
     join order_lines l on l.event_id = t.event_id and l.order_id = t.order_id and l.id = t.order_line_id and l.promo_code_id is not null
    where t.event_id = of_event and t.id = any (ticket_ids)
   having count(*) > 0;
end $$;

-- Reserves the tickets of orders of one event that hold none: of all of them, or of none. An expired order gets its tickets again when its
-- payment arrives late, and comps get theirs here, whatever limits hold for buyers. The caller holds the orders' locks.
create or replace function reserve_orders(of_event text, of_orders uuid[]) returns boolean language plpgsql as $$
declare
  type_ids uuid[];
  quantities integer[];
begin
  perform from ticket_types t
    where t.event_id = of_event
      and t.id in (select l.ticket_type_id from order_lines l where l.event_id = of_event and l.order_id = any (of_orders))
    order by t.id for no key update;
  select array_agg(t.id), array_agg(wanted.quantity) into type_ids, quantities
    from (select ticket_type_id, sum(quantity)::integer as quantity
            from order_lines where event_id = of_event and order_id = any (of_orders) group by ticket_type_id) as wanted
    left join ticket_types t
      on t.event_id = of_event and t.id = wanted.ticket_type_id and t.removed_at is null and t.available >= wanted.quantity;
  -- A rebuilt order has no lines if its event no longer has their types.
  if type_ids is null or array_position(type_ids, null) is not null then return false; end if;
  perform from shared_capacities c
    where c.event_id = of_event
      and c.id in (select m.shared_capacity_id from shared_capacity_members m where m.event_id = of_event and m.ticket_type_id = any (type_ids))
    order by c.id for no key update;
  if exists (select from unnest(type_ids, quantities) as w (id, quantity)
               join shared_capacity_members m on m.event_id = of_event and m.ticket_type_id = w.id
               join shared_capacities c on c.event_id = of_event and c.id = m.shared_capacity_id
              group by c.id, c.free having sum(w.quantity * m.units) > c.free) then
    return false;
  end if;
  perform from promo_codes c
    where c.event_id = of_event and c.id in (select l.promo_code_id from order_lines l
                                              where l.event_id = of_event and l.order_id = any (of_orders) and l.promo_code_id is not null)
    order by c.id for no key update;
  if exists (select from order_lines l join promo_codes c on c.event_id = l.event_id and c.id = l.promo_code_id
              where l.event_id = of_event and l.order_id = any (of_orders)
              group by c.id, c.uses, c.max_uses having c.uses + sum(l.quantity) > c.max_uses) then
    return false;
  end if;
  perform change_locked_stock(array_fill(of_event, array[cardinality(type_ids)]), type_ids, quantities);
  perform change_promo_uses(array_agg(of_event), array_agg(l.promo_code_id), array_agg(l.quantity))
     from order_lines l where l.event_id = of_event and l.order_id = any (of_orders) and l.promo_code_id is not null
   having count(*) > 0;
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
    update orders o set state = 'expired', network_hash = null from due
     where o.ctid = due.row_at and o.event_id = due.event_id and o.id = due.id
    returning o.event_id, o.id, o.reservation_expires_at)
  select count(*), max(reservation_expires_at), array_agg(event_id), array_agg(id) into released, reached, event_ids, order_ids
    from expired;
  if released > 0 then perform release_lines(event_ids, order_ids); end if;
  return next;
end $$;
