-- Reserves the tickets of many carts in one statement and one commit. Carts are served in the order of the arrays, wholly or not at
-- all; a smaller one may still fit after a larger one did not.
--
-- Arrays refer to each other by index, from 1. `type_*` is what buyers were shown, or the price that they named. Where that has changed, no
-- longer sells or takes no order of this size, the cart is answered with 'changed', and the caller reads the event again to say why.
--
-- `line_discounted` of a line's tickets are sold at `line_prices` with the promo code of their order, all others at the price of the type.
-- A code is as shown while nothing of it was edited.
--
-- `event_versions` has what of the page buyers agreed to: where it is another version by now, their carts are answered with 'changed'. An
-- order keeps the version that it was made on.
--
-- `order_forms` has the guest form of an order whose buyer is asked something first. With a rate of payment pages, all other reserved carts
-- that cost something join the checkout queue in the same commit, in their order.
--
-- Returns a row with index 0: when the reservations expire, and the comma-separated queue positions of the last reserved carts; all
-- before them may open their pages at once. And a row for each cart without a reservation:
--   'promo-short' with the uses that are left of its code
--   'sold-out'    with the index of the type that is short, and how many of it are left, by itself and by its shared capacities
--   'changed'
--   'already-reserved' with the existing order of the same cart; without one when both are in this batch
--   'network-limit' with the first end of a reservation of its network. A network has at most `unpaid_max` unpaid tickets, or one
--                   order that is larger.
create or replace function reserve_carts(
  event_ids text[], event_forms integer[], event_versions integer[],
  type_events integer[], type_ids uuid[], type_names text[], type_prices integer[],
  order_events integer[], order_ids uuid[], order_carts uuid[], order_totals integer[],
  line_orders integer[], line_positions integer[], line_types integer[], line_quantities integer[],
  promo_events integer[], promo_ids uuid[], promo_versions integer[],
  order_promos integer[], line_discounted integer[], line_prices integer[], order_forms integer[],
  network_hashes bigint[], order_networks integer[], unpaid_max integer,
  reservation_minutes integer, sales_lock integer, patience_ms integer, pages_per_second double precision
) returns table (
  index integer, outcome text, short_type integer, free_tickets integer, reserved_order uuid, reserved_until timestamptz, queue_positions text
)
language plpgsql
-- Planned once per connection: planning took as long as a small batch. `offset 0` keeps each look-up of a cart or a network apart, by
-- its own index: a join that is planned at the start of a sale would read all of its reservations.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  moment timestamptz := business_now();
  expires_at timestamptz := moment + make_interval(mins => reservation_minutes);
  event record;
  sells boolean[] := array_fill(false, array[cardinality(event_ids)]);
  paused text[];
  order_max integer[];
  page_versions integer[];
  type record;
  stock_events text[] := '{}';
  stock uuid[] := '{}';
  free integer[] := '{}';
  slot_types ticket_types[] := '{}';
  slot_hidden boolean[];
  slot_add_on boolean[];
  named boolean[];
  is_limited boolean := false;
  is_capped boolean := false;
  is_sharing boolean := false;
  share record;
  pool_events text[] := '{}';
  pools uuid[] := '{}';
  pool_free integer[] := '{}';
  pool_taken integer[];
  pool integer;
  member_slots integer[] := '{}';
  member_pools integer[] := '{}';
  member_units integer[] := '{}';
  -- Of capacities that several of these types share, in the order of their slots: those of a slot from its first to its last.
  share_slots integer[];
  share_pools integer[];
  share_units integer[];
  first_share integer[];
  last_share integer[];
  claimed integer;
  promo record;
  has_promos boolean := promo_ids <> '{}';
  promo_used integer[] := array_fill(0, array[cardinality(promo_ids)]);
  -- Null for a code that has changed.
  promo_left integer[];
  discounted integer;
  code integer;
  taken integer[];
  slots integer[];
  earlier uuid[];
  is_repeated boolean[];
  from_network integer;
  unpaid integer[];
  wanted integer;
  admitting integer;
  is_reserved boolean[] := array_fill(false, array[cardinality(order_ids)]);
  reserved integer := 0;
  -- Tickets without a promo code.
  listed integer := 0;
  to_pay integer := 0;
  line integer := 1;
  first integer;
  slot integer;
  lines integer := cardinality(line_orders);
  at_once integer;
begin
  -- One locked row must not delay the whole batch: the caller goes on with the others.
  perform set_config('lock_timeout', patience_ms || 'ms', true);

  -- An organizer's lock is next in turn. With the rows alone, servers that share them by turns would keep it waiting.
  perform pg_advisory_xact_lock_shared(sales_lock, key)
     from (select distinct hashtext(id) as key from unnest(event_ids) as id order by key) as sales;

  -- Blocks cancelling, editing, pausing and taking down the events until the orders are inserted.
  for event in
    select shown.index, e.paused_sales, e.max_per_order, e.page_version,
           is_selling(e.cancelled_at, e.ends_at, moment) and e.form_version is not distinct from shown.form
             and coalesce(e.page_version = shown.version, true) as sells
      from unnest(event_ids, event_forms, event_versions) with ordinality as shown (id, form, version, index)
      join events e on e.id = shown.id and e.is_published
     order by e.id for share of e
  loop
    sells[event.index] := event.sells;
    paused[event.index] := event.paused_sales;
    order_max[event.index] := event.max_per_order;
    page_versions[event.index] := nullif(event.page_version, 0);
    is_capped := is_capped or event.max_per_order < 100;
  end loop;

  -- A type has one slot, also when buyers were shown different names or prices of it.
  for type in
    select shown.index, t.event_id, t.id, t.available, t as whole, has_order_limits(t) as has_limits, t.shares_capacity, t.has_named_price, t.is_hidden, t.is_add_on,
           t.removed_at is null and t.name = shown.name
             and (t.price_cents = shown.price or t.has_named_price and t.price_cents < shown.price) and is_on_sale(t.sales_from, t.sales_until, moment) and (t.opens_after is null or t.opened_at is not null)
             and not is_paused(paused[shown.event], shown.price) as is_as_shown
      from unnest(type_events, type_ids, type_names, type_prices) with ordinality as shown (event, id, name, price, index)
      join ticket_types t on t.event_id = event_ids[shown.event] and t.id = shown.id
     order by t.id for no key update of t
  loop
    if stock[slot] is distinct from type.id then
      slot := cardinality(stock) + 1;
      stock_events[slot] := type.event_id;
      stock[slot] := type.id;
      free[slot] := type.available;
      slot_types[slot] := type.whole;
      slot_hidden[slot] := type.is_hidden;
      slot_add_on[slot] := type.is_add_on;
      is_limited := is_limited or type.has_limits or type.is_hidden or type.has_named_price;
      is_sharing := is_sharing or type.shares_capacity;
    end if;
    if type.is_as_shown then slots[type.index] := slot; end if;
    named[type.index] := type.has_named_price;
  end loop;

  if is_sharing then
    -- In the order in which they are locked, then by slot.
    for share in
      select c.event_id, c.id, c.free, s.slot, m.units from unnest(stock_events, stock) with ordinality as s (event_id, id, slot)
        join shared_capacity_members m on m.event_id = s.event_id and m.ticket_type_id = s.id
        join shared_capacities c on c.event_id = m.event_id and c.id = m.shared_capacity_id
       order by c.id, s.slot for no key update of c
    loop
      if pools[pool] is distinct from share.id then
        pool := cardinality(pools) + 1;
        pool_events[pool] := share.event_id;
        pools[pool] := share.id;
        pool_free[pool] := share.free;
      end if;
      member_slots := member_slots || share.slot::integer;
      member_pools := member_pools || pool;
      member_units := member_units || share.units;
    end loop;
    -- A capacity of one type alone is a limit of that type. Counting it for each cart again would take most of the time.
    for slot, claimed in
      select m.slot, min(pool_free[m.pool] / m.units)
        from (select n.*, count(*) over (partition by n.pool) as types
                from unnest(member_slots, member_pools, member_units) as n (slot, pool, units)) as m
       where m.types = 1
       group by m.slot
    loop
      free[slot] := least(free[slot], claimed);
    end loop;
    select coalesce(array_agg(m.pool order by m.slot), '{}'), array_agg(m.units order by m.slot), coalesce(array_agg(m.slot order by m.slot), '{}')
      into share_pools, share_units, share_slots
      from (select n.*, count(*) over (partition by n.pool) as types
                from unnest(member_slots, member_pools, member_units) as n (slot, pool, units)) as m
     where m.types > 1;
    for one in 1 .. cardinality(share_slots) loop
      first_share[share_slots[one]] := coalesce(first_share[share_slots[one]], one);
      last_share[share_slots[one]] := one;
    end loop;
  end if;

  if has_promos then
    for promo in
      select shown.index, coalesce(c.max_uses - c.uses, 2147483647) as uses_left
        from unnest(promo_events, promo_ids, promo_versions) with ordinality as shown (event, id, version, index)
        join promo_codes c on c.event_id = event_ids[shown.event] and c.id = shown.id
                          and c.version = shown.version and c.ended_at is null and is_on_sale(c.valid_from, c.valid_until, moment)
       order by c.id for no key update of c
    loop
      promo_left[promo.index] := promo.uses_left;
    end loop;
  end if;

  if array_remove(order_carts, null) <> '{}' then
    select array_agg(standing.id order by cart.index), array_agg(cart.id is not null and cart.nth > 1 order by cart.index)
      into earlier, is_repeated
      from (select c.*, row_number() over (partition by c.event, c.id order by c.index) as nth
              from unnest(order_events, order_carts) with ordinality as c (event, id, index)) as cart
      left join lateral (select o.event_id, o.id from orders o
                          where o.cart_id = cart.id and case when o.state = 'reserved' then o.cart_id is not null end offset 0) as standing
        on standing.event_id = event_ids[cart.event];
  end if;

  if network_hashes <> '{}' then
    for from_network, wanted in
      select network.index, reserved_order.tickets
        from unnest(network_hashes) with ordinality as network (hash, index)
       cross join lateral (select (select sum(l.quantity) from order_lines l where l.event_id = o.event_id and l.order_id = o.id) as tickets
                             from orders o where o.network_hash = network.hash offset 0) as reserved_order
    loop
      unpaid[from_network] := coalesce(unpaid[from_network], 0) + wanted;
    end loop;
  end if;

  taken := array_fill(0, array[cardinality(stock)]);
  for cart in 1 .. cardinality(order_ids) loop
    outcome := case when not sells[order_events[cart]] then 'changed'
                    when earlier[cart] is not null or is_repeated[cart] then 'already-reserved' end;
    wanted := 0;
    admitting := 0;
    discounted := 0;
    first := line;
    claimed := first - 1;
    while line <= lines and line_orders[line] = cart loop
      if outcome is null then
        slot := slots[line_types[line]];
        if slot is null or is_limited and (
             not may_be_ordered(line_quantities[line], slot_types[slot])
             -- Hidden tickets have the code that unlocks them. Others whose price is named have none.
             or slot_hidden[slot] and line_quantities[line] > coalesce(line_discounted[line], 0)
             or named[line_types[line]] and not slot_hidden[slot] and line_discounted[line] > 0) then
          outcome := 'changed';
        elsif free[slot] < line_quantities[line] then
          outcome := 'sold-out';
          short_type := line_types[line];
        elsif is_sharing and first_share[slot] is not null then
          -- Lines of one cart may take from the same capacity.
          claimed := line;
          for one in first_share[slot] .. last_share[slot] loop
            pool := share_pools[one];
            pool_free[pool] := pool_free[pool] - line_quantities[line] * share_units[one];
            if pool_free[pool] < 0 then
              outcome := 'sold-out';
              short_type := line_types[line];
            end if;
          end loop;
        end if;
      end if;
      wanted := wanted + line_quantities[line];
      if is_capped and not slot_add_on[slots[line_types[line]]] then admitting := admitting + line_quantities[line]; end if;
      if has_promos then discounted := discounted + line_discounted[line]; end if;
      line := line + 1;
    end loop;
    if outcome is null and is_capped and admitting > order_max[order_events[cart]] then outcome := 'changed'; end if;
    if discounted > 0 and outcome is null then
      code := order_promos[cart];
      if promo_left[code] is null then
        outcome := 'changed';
      elsif promo_left[code] < discounted then
        outcome := 'promo-short';
        free_tickets := promo_left[code];
      end if;
    end if;
    from_network := order_networks[cart];
    if outcome is null and unpaid[from_network] + wanted > unpaid_max then
      outcome := 'network-limit';
      select coalesce(min(o.reservation_expires_at), expires_at) into reserved_until
        from orders o where o.network_hash = network_hashes[from_network];
    end if;
    if outcome is null then
      if from_network is not null then
        unpaid[from_network] := coalesce(unpaid[from_network], 0) + wanted;
      end if;
      for one in first .. line - 1 loop
        slot := slots[line_types[one]];
        free[slot] := free[slot] - line_quantities[one];
        taken[slot] := taken[slot] + line_quantities[one];
      end loop;
      if discounted > 0 then
        promo_left[code] := promo_left[code] - discounted;
        promo_used[code] := promo_used[code] + discounted;
      end if;
      is_reserved[cart] := true;
      reserved := reserved + 1;
      listed := listed + wanted - discounted;
      if order_totals[cart] > 0 and order_forms[cart] is null then to_pay := to_pay + 1; end if;
    else
      for refused in first .. claimed loop
        slot := slots[line_types[refused]];
        if first_share[slot] is not null then
          for one in first_share[slot] .. last_share[slot] loop
            pool := share_pools[one];
            pool_free[pool] := pool_free[pool] + line_quantities[refused] * share_units[one];
          end loop;
        end if;
      end loop;
      if outcome = 'sold-out' then
        slot := slots[short_type];
        free_tickets := free[slot];
        if first_share[slot] is not null then
          for one in first_share[slot] .. last_share[slot] loop
            free_tickets := least(free_tickets, pool_free[share_pools[one]] / share_units[one]);
          end loop;
        end if;
      end if;
      index := cart;
      reserved_order := earlier[cart];
      return next;
      short_type := null;
      free_tickets := null;
      reserved_until := null;
    end if;
  end loop;

  if reserved > 0 then
    insert into orders (event_id, id, cart_id, state, total_cents, reservation_expires_at, created_at, network_hash, form_version, page_version)
    select event_ids[o.event], o.id, o.cart, 'reserved', o.total, expires_at, moment, network_hashes[o.network], order_forms[o.index],
           page_versions[o.event]
      from unnest(order_events, order_ids, order_carts, order_totals, order_networks) with ordinality
             as o (event, id, cart, total, network, index)
     where is_reserved[o.index];
    -- Of one type in an order, tickets with the code and those without are two lines.
    if has_promos then
      insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, discount_cents, unit_price_cents,
                               quantity, source, promo_code_id)
      select event_ids[type_events[l.type]], order_ids[l.cart], type_ids[l.type], l.position, type_names[l.type], type_prices[l.type],
             type_prices[l.type] - l.price, l.price, l.discounted, 'promo', promo_ids[order_promos[l.cart]]
        from unnest(line_orders, line_positions, line_types, line_discounted, line_prices) as l (cart, position, type, discounted, price)
       where is_reserved[l.cart] and l.discounted > 0;
    end if;
    if listed > 0 then
      if has_promos then
        -- Instead of a condition of the insert, which other batches would pay for.
        select array_agg(l.cart), array_agg(l.position), array_agg(l.type), array_agg(l.quantity - l.discounted)
          into line_orders, line_positions, line_types, line_quantities
          from unnest(line_orders, line_positions, line_types, line_quantities, line_discounted) as l (cart, position, type, quantity, discounted)
         where l.quantity > l.discounted;
      end if;
      insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity, source)
      select event_ids[type_events[l.type]], order_ids[l.cart], type_ids[l.type], l.position, type_names[l.type], type_prices[l.type],
             type_prices[l.type], l.quantity, case when named[l.type] then 'named' else 'list' end
        from unnest(line_orders, line_positions, line_types, line_quantities) as l (cart, position, type, quantity)
       where is_reserved[l.cart];
    end if;
    perform change_locked_types(stock_events, stock, taken);
    if is_sharing then
      select array_agg(m.taken order by m.pool) into pool_taken
        from (select n.pool, sum(taken[n.slot] * n.units)::integer as taken
                from unnest(member_slots, member_pools, member_units) as n (slot, pool, units) group by n.pool) as m;
      perform change_locked_capacities(pool_events, pools, pool_taken);
    end if;
    if has_promos then
      perform change_locked_promo_uses(array_agg(event_ids[u.event]), array_agg(u.id), array_agg(u.used))
         from unnest(promo_events, promo_ids, promo_used) as u (event, id, used) where u.used > 0
      having count(*) > 0;
    end if;
  end if;

  if to_pay > 0 and pages_per_second is not null then
    at_once := take_page_tokens(to_pay, pages_per_second);
    with entered as (
      insert into checkout_queue (event_id, order_id)
      select event_ids[o.event], o.id from unnest(order_events, order_ids, order_totals) with ordinality as o (event, id, total, index)
       where is_reserved[o.index] and o.total > 0 and order_forms[o.index] is null
       order by o.index
      offset at_once
      returning checkout_queue.position)
    select string_agg(entered.position::text, ',' order by entered.position) into queue_positions from entered;
  end if;

  index := 0;
  outcome := null;
  reserved_order := null;
  reserved_until := expires_at;
  return next;
end $$;

-- Reserves tickets of guests whom a member adds at no charge, for all of them or for none: then the caller rolls back. Each is an order of
-- its own. What the tickets would have cost is their discount.
create or replace function reserve_comps(
  of_event text, batch uuid, order_ids uuid[], emails text[], type_ids uuid[], names text[], list_prices integer[], quantities integer[],
  moment timestamptz, until timestamptz
) returns boolean language plpgsql as $$
begin
  insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at, buyer_email, comp_batch_id, page_version)
  select of_event, c.id, 'reserved', 0, until, moment, c.email, batch, nullif(e.page_version, 0)
    from unnest(order_ids, emails) as c (id, email) join events e on e.id = of_event;
  insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, discount_cents, unit_price_cents,
                           quantity, source)
  select of_event, c.order_id, c.type_id, 1, c.name, c.price, c.price, 0, c.quantity, 'comp'
    from unnest(order_ids, type_ids, names, list_prices, quantities) as c (order_id, type_id, name, price, quantity);
  return reserve_orders(of_event, order_ids);
end $$;
