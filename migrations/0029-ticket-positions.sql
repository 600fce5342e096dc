-- Tickets are numbered in the order of the buyer's cart, wherever they are shown.
alter table order_lines add column position integer check (position > 0);
update order_lines l
   set position = numbered.position
  from (select event_id, order_id, ticket_type_id,
               row_number() over (partition by event_id, order_id order by ticket_type_id) as position
          from order_lines) as numbered
 where l.event_id = numbered.event_id and l.order_id = numbered.order_id and l.ticket_type_id = numbered.ticket_type_id;
alter table order_lines alter column position set not null;

-- Counts refunded tickets too, so a refund does not renumber the others.
create function tickets_of_order(of_event text, of_order uuid)
  returns table (ticket_id uuid, "position" integer, order_size integer) language sql stable as $$
  select t.id, row_number() over (order by l.position, t.id)::integer, count(*) over ()::integer
    from tickets t
    join order_lines l on l.event_id = t.event_id and l.order_id = t.order_id and l.ticket_type_id = t.ticket_type_id
   where t.event_id = of_event and t.order_id = of_order
$$;

-- Reserves the tickets of many carts in one statement and one commit. Carts are served in the order of the arrays, each in whole
-- or not at all; a later, smaller one may still fit where an earlier one did not.
--
-- Arrays name each other by place, counted from 1. `type_*` is what buyers were shown: where that no longer stands, or where the
-- event no longer sells, the cart is answered with 'changed', and the caller reads anew before it says why.
--
-- With a pace of payment pages, the carts that get their tickets enter the line for the pages in the same commit, in their order.
--
-- Answers a row of place 0 with when the holds end and the places in line, comma-separated, of the last of those who got tickets: all
-- before them may open their pages at once. And a row for each cart that was refused:
--   'sold-out'    with the place of the type that is short, and how many of it are left
--   'changed'
--   'held-before' with the order that the same cart holds already; without one when both stand in this batch
create or replace function reserve_carts(
  event_ids text[],
  type_events integer[], type_ids uuid[], type_names text[], type_prices integer[],
  order_events integer[], order_ids uuid[], order_carts uuid[], order_totals integer[],
  line_orders integer[], line_types integer[], line_quantities integer[],
  hold_minutes integer, patience_ms integer, pages_per_second double precision
) returns table (
  place integer, outcome text, short_type integer, free_tickets integer, held_order uuid, held_until timestamptz, line_places text
)
language plpgsql
-- Planned once a connection: planning took as long as a small batch itself.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  moment timestamptz := business_now();
  hold_end timestamptz := business_now() + make_interval(mins => hold_minutes);
  sells boolean[];
  stock uuid[];
  free integer[];
  slots integer[];
  earlier uuid[];
  is_repeated boolean[];
  is_held boolean[] := array_fill(false, array[cardinality(order_ids)]);
  holds integer := 0;
  line integer := 1;
  first integer;
  slot integer;
  lines integer := cardinality(line_orders);
  at_once integer;
begin
  -- One locked row must not keep the whole lane waiting: the caller goes on with the others.
  perform set_config('lock_timeout', patience_ms || 'ms', true);

  -- Nobody cancels or edits the events until the orders stand.
  with locked as (
    select e.id, e.cancelled_at is null and e.ends_at > moment as sells
      from events e where e.id = any (event_ids) order by e.id for share)
  select array_agg(coalesce(locked.sells, false) order by shown.place) into sells
    from unnest(event_ids) with ordinality as shown (id, place) left join locked on locked.id = shown.id;

  with locked as (
    select t.event_id, t.id, t.name, t.price_cents, t.removed_at, t.quantity - t.reserved as free
      from ticket_types t
     where (t.event_id, t.id) in (select event_ids[shown.event], shown.id from unnest(type_events, type_ids) as shown (event, id))
     order by t.id for no key update),
  numbered as (select row_number() over (order by id)::integer as slot, * from locked)
  select (select array_agg(n.id order by n.slot) from numbered n),
         (select array_agg(n.free order by n.slot) from numbered n),
         array_agg(n.slot order by shown.place)
    into stock, free, slots
    from unnest(type_events, type_ids, type_names, type_prices) with ordinality as shown (event, id, name, price, place)
    left join numbered n
      on n.id = shown.id and n.event_id = event_ids[shown.event]
     and n.removed_at is null and n.name = shown.name and n.price_cents = shown.price;

  if array_remove(order_carts, null) <> '{}' then
    -- Planned anew for every batch: a plan that was made while the sale was young, and kept, reads all the holds there are.
    execute $lookup$
      select array_agg((select o.id from orders o where o.event_id = ($3)[c.event] and o.cart_id = c.id and o.state = 'held')
                       order by c.place),
             array_agg(c.id is not null and c.nth > 1 order by c.place)
        from (select cart.*, row_number() over (partition by cart.event, cart.id order by cart.place) as nth
                from unnest($1, $2) with ordinality as cart (event, id, place)) as c $lookup$
      into earlier, is_repeated using order_events, order_carts, event_ids;
  end if;

  for cart in 1 .. cardinality(order_ids) loop
    outcome := case when not sells[order_events[cart]] then 'changed'
                    when earlier[cart] is not null or is_repeated[cart] then 'held-before' end;
    short_type := null;
    free_tickets := null;
    first := line;
    while line <= lines and line_orders[line] = cart loop
      if outcome is null then
        slot := slots[line_types[line]];
        if slot is null then
          outcome := 'changed';
        elsif free[slot] < line_quantities[line] then
          outcome := 'sold-out';
          short_type := line_types[line];
          free_tickets := free[slot];
        end if;
      end if;
      line := line + 1;
    end loop;
    if outcome is null then
      for taken in first .. line - 1 loop
        slot := slots[line_types[taken]];
        free[slot] := free[slot] - line_quantities[taken];
      end loop;
      is_held[cart] := true;
      holds := holds + 1;
    else
      place := cart;
      held_order := earlier[cart];
      return next;
    end if;
  end loop;

  if holds > 0 then
    insert into orders (event_id, id, cart_id, state, total_cents, hold_expires_at, created_at)
    select event_ids[o.event], o.id, o.cart, 'held', o.total, hold_end, moment
      from unnest(order_events, order_ids, order_carts, order_totals) with ordinality as o (event, id, cart, total, place)
     where is_held[o.place];
    insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, unit_price_cents, quantity)
    select event_ids[type_events[l.type]], order_ids[l.cart], type_ids[l.type], row_number() over (partition by l.cart order by l.place),
           type_names[l.type], type_prices[l.type], l.quantity
      from unnest(line_orders, line_types, line_quantities) with ordinality as l (cart, type, quantity, place)
     where is_held[l.cart];
    update ticket_types t set reserved = t.quantity - left_over.free
      from unnest(stock, free) as left_over (id, free)
     where t.id = left_over.id and t.event_id = any (event_ids) and t.reserved <> t.quantity - left_over.free;
  end if;

  if holds > 0 and pages_per_second is not null then
    at_once := take_pages_at_once(holds, pages_per_second);
    with entered as (
      insert into payment_line (event_id, order_id)
      select event_ids[o.event], o.id from unnest(order_events, order_ids) with ordinality as o (event, id, place)
       where is_held[o.place]
       order by o.place
      offset at_once
      returning payment_line.place)
    select string_agg(entered.place::text, ',' order by entered.place) into line_places from entered;
  end if;

  place := 0;
  outcome := null;
  short_type := null;
  free_tickets := null;
  held_order := null;
  held_until := hold_end;
  return next;
end $$;
