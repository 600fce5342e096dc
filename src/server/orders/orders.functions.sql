-- Ten unpredictable digits: they are enough to request the ticket's refund. The last 60 bits of a random UUID are all random.
create or replace function new_confirmation_number() returns text language sql volatile as $$
  select (1000000000 + ('x' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 18))::bit(60)::bigint % 9000000000)::text
$$;

-- Saves up a quarter of a second's tokens at most, so that no second sees much more than its share.
create or replace function refill_checkout_rate(per_second double precision) returns double precision language sql as $$
  update checkout_rate
     set tokens = least(greatest(1, per_second / 4),
                        tokens + greatest(0, extract(epoch from clock_timestamp() - counted_at)) * per_second),
         counted_at = clock_timestamp()
  returning tokens
$$;

-- How many orders may open their page at once: none while others are queued.
create or replace function take_page_tokens(wanted integer, per_second double precision) returns integer language plpgsql as $$
declare
  -- The bucket's row admits one server at a time, so that queue positions are consecutive.
  allowed integer := greatest(0, floor(refill_checkout_rate(per_second)));
begin
  if exists (select from checkout_queue) then allowed := 0; end if;
  allowed := least(allowed, wanted);
  update checkout_rate set tokens = tokens - allowed where allowed > 0;
  return allowed;
end $$;

-- Claims the next queued orders, as many as the rate allows. Each stays queued, claimed for a while, until its page is known; its
-- reservation now lasts as long as the page. Expired orders leave the queue. Returns with each the wait until the next one, in
-- milliseconds; without any, one row that says that, or nothing for an empty queue.
create or replace function dequeue_checkouts(
  at_most integer, per_second double precision, page_minutes integer, shortest_seconds integer, taken_seconds integer
) returns table (event_id text, order_id uuid, attempt integer, page_ends_at timestamptz, wait_ms double precision)
language plpgsql
-- Reads the head of the queue in order and no further: sorting 40,000 queued orders took half a second.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off as $$
#variable_conflict use_column
declare
  moment timestamptz := business_now();
  budget double precision;
  turns integer;
begin
  if not exists (select from checkout_queue) then return; end if;
  budget := refill_checkout_rate(per_second);
  turns := least(at_most, greatest(0, floor(budget)));
  wait_ms := greatest(0, 1 - (budget - turns)) / per_second * 1000;
  if turns = 0 then return next; return; end if;

  delete from checkout_queue l using orders o
   where o.event_id = l.event_id and o.id = l.order_id
     and (l.event_id, l.order_id) in (select head.event_id, head.order_id from checkout_queue head order by head.position limit 4 * turns)
     and (o.state <> 'reserved' or o.session_id is not null);

  for event_id, order_id, attempt, page_ends_at in
    with head as (
      select l.event_id, l.order_id, l.position, l.attempt, o.reservation_expires_at,
             l.attempt = 0 or o.reservation_expires_at < moment + make_interval(secs => shortest_seconds) as is_renewed
        from checkout_queue l
        join orders o on o.event_id = l.event_id and o.id = l.order_id
       where l.not_before <= clock_timestamp() and o.state = 'reserved' and o.session_id is null and o.reservation_expires_at > moment
       order by l.position
       limit turns
         for no key update of l, o skip locked),
    taken as (
      update checkout_queue l
         set not_before = clock_timestamp() + make_interval(secs => taken_seconds),
             attempt = l.attempt + head.is_renewed::integer
        from head
       where l.event_id = head.event_id and l.order_id = head.order_id
      returning l.event_id, l.order_id, l.attempt),
    renewed as (
      update orders o
         set reservation_expires_at = case when head.is_renewed then moment + make_interval(mins => page_minutes) else o.reservation_expires_at end
        from head
       where o.event_id = head.event_id and o.id = head.order_id
      returning o.event_id, o.id, o.reservation_expires_at)
    select head.event_id, head.order_id, taken.attempt, renewed.reservation_expires_at
      from head
      join taken on taken.event_id = head.event_id and taken.order_id = head.order_id
      join renewed on renewed.event_id = head.event_id and renewed.id = head.order_id
     order by head.position
  loop
    budget := budget - 1;
    return next;
  end loop;
  update checkout_rate set tokens = budget;
end $$;

-- Releases expired reservations without a payment page: at most so many, from the given expiry on. With an event, all of its
-- reservations without a page, expired or not: it was cancelled. One server at a time; the others wait or get no row. Returns how
-- many were released, and the latest expiry among them.
--
-- Orders first and stock last, unlike everywhere else, so that contended rows are locked for the shortest time. It cannot deadlock:
-- locked orders are skipped, and stock that is locked by a transaction waiting for such an order is waited for half a second only.
create or replace function release_without_page(at_most integer, since timestamptz, of_event text, waits boolean)
returns table (holds integer, reached timestamptz) language plpgsql
-- A few thousand of perhaps millions: rows are looked up by their keys, whatever the planner takes from old statistics. One or two
-- lines per order: a bitmap for each takes a third of the time.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment timestamptz := case when of_event is null then business_now() else 'infinity' end;
  back_events text[];
  back_types uuid[];
  quantities integer[];
begin
  if waits then
    perform pg_advisory_xact_lock(20261123);
  elsif not pg_try_advisory_xact_lock(20261123) then
    return;
  end if;
  perform set_config('lock_timeout', '500ms', true);

  with over as materialized (
    select o.ctid as row_at, o.event_id, o.id, o.reservation_expires_at from orders o
     where o.state = 'reserved' and o.session_id is null and o.reservation_expires_at >= since and o.reservation_expires_at <= moment
       and (of_event is null or o.event_id = of_event)
     order by o.reservation_expires_at
     limit at_most
       for no key update skip locked),
  ended as (
    update orders o set state = 'expired' from over
     where o.ctid = over.row_at and o.event_id = over.event_id and o.id = over.id
    returning o.event_id, o.id, o.reservation_expires_at),
  gone as (
    delete from checkout_queue l using ended where l.event_id = ended.event_id and l.order_id = ended.id),
  back as (
    select l.event_id, l.ticket_type_id, sum(l.quantity)::integer as quantity
      from ended join order_lines l on l.event_id = ended.event_id and l.order_id = ended.id
     group by l.event_id, l.ticket_type_id)
  select ended_count, ended_until, back_of.events, back_of.types, back_of.quantities
    into holds, reached, back_events, back_types, quantities
    from (select count(*)::integer as ended_count, max(reservation_expires_at) as ended_until from ended) as counted
   cross join (select array_agg(event_id) as events, array_agg(ticket_type_id) as types, array_agg(quantity) as quantities
                 from back) as back_of;
  if holds > 0 then
    perform 1 from ticket_types t
      where (t.event_id, t.id) in (select back.event_id, back.id from unnest(back_events, back_types) as back (event_id, id))
      order by t.id for no key update;
    update ticket_types t set reserved = t.reserved - back.quantity
      from unnest(back_events, back_types, quantities) as back (event_id, id, quantity)
     where t.event_id = back.event_id and t.id = back.id;
  end if;
  return next;
end $$;

-- Reserves the tickets of many carts in one statement and one commit. Carts are served in the order of the arrays, wholly or not at
-- all; a smaller one may still fit after a larger one did not.
--
-- Arrays refer to each other by index, from 1. `type_*` is what buyers were shown: where that has changed, or where the
-- event no longer sells, the cart is answered with 'changed', and the caller reads the event again to say why.
--
-- With a rate of payment pages, reserved carts join the checkout queue in the same commit, in their order.
--
-- Returns a row with index 0: when the reservations expire, and the comma-separated queue positions of the last reserved carts; all
-- before them may open their pages at once. And a row for each cart without a reservation:
--   'sold-out'    with the index of the type that is short, and how many of it are left
--   'changed'
--   'already-reserved' with the existing order of the same cart; without one when both are in this batch
create or replace function reserve_carts(
  event_ids text[],
  type_events integer[], type_ids uuid[], type_names text[], type_prices integer[],
  order_events integer[], order_ids uuid[], order_carts uuid[], order_totals integer[],
  line_orders integer[], line_types integer[], line_quantities integer[],
  reservation_minutes integer, patience_ms integer, pages_per_second double precision
) returns table (
  index integer, outcome text, short_type integer, free_tickets integer, reserved_order uuid, reserved_until timestamptz, queue_positions text
)
language plpgsql
-- Planned once per connection: planning took as long as a small batch.
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  moment timestamptz := business_now();
  expires_at timestamptz := business_now() + make_interval(mins => reservation_minutes);
  sells boolean[];
  stock uuid[];
  free integer[];
  slots integer[];
  earlier uuid[];
  is_repeated boolean[];
  is_reserved boolean[] := array_fill(false, array[cardinality(order_ids)]);
  holds integer := 0;
  line integer := 1;
  first integer;
  slot integer;
  lines integer := cardinality(line_orders);
  at_once integer;
begin
  -- One locked row must not delay the whole batch: the caller goes on with the others.
  perform set_config('lock_timeout', patience_ms || 'ms', true);

  -- Blocks cancelling and editing the events until the orders are inserted.
  with locked as (
    select e.id, e.cancelled_at is null and e.ends_at > moment as sells
      from events e where e.id = any (event_ids) order by e.id for share)
  select array_agg(coalesce(locked.sells, false) order by shown.index) into sells
    from unnest(event_ids) with ordinality as shown (id, index) left join locked on locked.id = shown.id;

  with locked as (
    select t.event_id, t.id, t.name, t.price_cents, t.removed_at, t.quantity - t.reserved as free
      from ticket_types t
     where (t.event_id, t.id) in (select event_ids[shown.event], shown.id from unnest(type_events, type_ids) as shown (event, id))
     order by t.id for no key update),
  numbered as (select row_number() over (order by id)::integer as slot, * from locked)
  select (select array_agg(n.id order by n.slot) from numbered n),
         (select array_agg(n.free order by n.slot) from numbered n),
         array_agg(n.slot order by shown.index)
    into stock, free, slots
    from unnest(type_events, type_ids, type_names, type_prices) with ordinality as shown (event, id, name, price, index)
    left join numbered n
      on n.id = shown.id and n.event_id = event_ids[shown.event]
     and n.removed_at is null and n.name = shown.name and n.price_cents = shown.price;

  if array_remove(order_carts, null) <> '{}' then
    -- Planned for every batch: a cached plan from the start of the sale would read all reservations.
    execute $lookup$
      select array_agg((select o.id from orders o where o.event_id = ($3)[c.event] and o.cart_id = c.id and o.state = 'reserved')
                       order by c.index),
             array_agg(c.id is not null and c.nth > 1 order by c.index)
        from (select cart.*, row_number() over (partition by cart.event, cart.id order by cart.index) as nth
                from unnest($1, $2) with ordinality as cart (event, id, index)) as c $lookup$
      into earlier, is_repeated using order_events, order_carts, event_ids;
  end if;

  for cart in 1 .. cardinality(order_ids) loop
    outcome := case when not sells[order_events[cart]] then 'changed'
                    when earlier[cart] is not null or is_repeated[cart] then 'already-reserved' end;
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
      is_reserved[cart] := true;
      holds := holds + 1;
    else
      index := cart;
      reserved_order := earlier[cart];
      return next;
    end if;
  end loop;

  if holds > 0 then
    insert into orders (event_id, id, cart_id, state, total_cents, reservation_expires_at, created_at)
    select event_ids[o.event], o.id, o.cart, 'reserved', o.total, expires_at, moment
      from unnest(order_events, order_ids, order_carts, order_totals) with ordinality as o (event, id, cart, total, index)
     where is_reserved[o.index];
    insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, unit_price_cents, quantity)
    select event_ids[type_events[l.type]], order_ids[l.cart], type_ids[l.type], row_number() over (partition by l.cart order by l.index),
           type_names[l.type], type_prices[l.type], l.quantity
      from unnest(line_orders, line_types, line_quantities) with ordinality as l (cart, type, quantity, index)
     where is_reserved[l.cart];
    update ticket_types t set reserved = t.quantity - left_over.free
      from unnest(stock, free) as left_over (id, free)
     where t.id = left_over.id and t.event_id = any (event_ids) and t.reserved <> t.quantity - left_over.free;
  end if;

  if holds > 0 and pages_per_second is not null then
    at_once := take_page_tokens(holds, pages_per_second);
    with entered as (
      insert into checkout_queue (event_id, order_id)
      select event_ids[o.event], o.id from unnest(order_events, order_ids) with ordinality as o (event, id, index)
       where is_reserved[o.index]
       order by o.index
      offset at_once
      returning checkout_queue.position)
    select string_agg(entered.position::text, ',' order by entered.position) into queue_positions from entered;
  end if;

  index := 0;
  outcome := null;
  short_type := null;
  free_tickets := null;
  reserved_order := null;
  reserved_until := expires_at;
  return next;
end $$;

-- Completes many reserved orders in one statement and one commit, with the same rows as completing one order where nothing stands
-- against it. Returns the positions in the arrays, from 1, of the orders that are settled now, by this call or before it. All others
-- are left as they were: they are locked, or need a decision. Of an order named twice the first counts.
create or replace function complete_orders(
  paid_events text[], paid_orders uuid[], sessions text[], payments text[], emails text[], totals integer[], fees integer[]
) returns integer[] language plpgsql
  set lock_timeout = '400ms' set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  moment timestamptz := business_now();
  locked_events text[];
  settled integer[];
  sold integer[];
  sold_events text[];
  sold_orders uuid[];
  missing integer;
  issued integer;
  jobs graphile_worker.job_spec[];
begin
  -- Events before orders, as everywhere. Locked rows are skipped: without waiting there is no deadlock.
  select array_agg(id) into locked_events
    from (select id from events where id = any (paid_events) for share skip locked) as kept;

  -- A separate statement: only now are payouts and cancellations excluded.
  select array_agg(index), array_agg(index) filter (where state = 'reserved'),
         array_agg(event_id) filter (where state = 'reserved'), array_agg(id) filter (where state = 'reserved')
    into settled, sold, sold_events, sold_orders
    from (
      select p.index, o.event_id, o.id, o.state
        from (select distinct on (event_id, order_id) *
                from unnest(paid_events, paid_orders, sessions, totals) with ordinality as asked (event_id, order_id, session, total, index)
               where event_id = any (locked_events)
               order by event_id, order_id, index) as p
        join events e on e.id = p.event_id and e.cancelled_at is null
       cross join lateral (
         select * from orders
          where event_id = p.event_id and id = p.order_id and total_cents = p.total
            and (state = 'reserved' and coalesce(session_id, p.session) = p.session or state = 'paid' and session_id = p.session)
            for update skip locked) as o
       where not exists (select from payouts where payouts.event_id = p.event_id)) as mine;
  if settled is null then return '{}'; end if;

  insert into ledger_entries (event_id, subject_id, kind, transaction_id, account, cents, created_at)
  with movements as materialized (
    select event_id, order_id, new_row_id() as sale_id, new_row_id() as fee_id, total, fee, index = any (sold) as is_sold
      from unnest(paid_events, paid_orders, totals, fees) with ordinality as p (event_id, order_id, total, fee, index)
     where index = any (settled))
  select event_id, order_id, kind, transaction_id, account, amount, moment
    from movements cross join lateral (values
      ('sale', sale_id, 'processor', case when is_sold then total end),
      ('sale', sale_id, 'organizer-payable', case when is_sold then -total end),
      ('card-fee', fee_id, 'card-fees', fee),
      ('card-fee', fee_id, 'processor', -fee)) as entries (kind, transaction_id, account, amount)
   where amount <> 0
  on conflict (event_id, subject_id, kind, account) do nothing;
  if sold is null then return settled; end if;

  update orders o
     set state = 'paid', session_id = p.session, payment_id = p.payment, buyer_email = p.email, paid_at = moment
    from unnest(paid_events, paid_orders, sessions, payments, emails) with ordinality as p (event_id, order_id, session, payment, email, index)
   where o.event_id = p.event_id and o.id = p.order_id and p.index = any (sold);

  select sum(l.quantity) into missing
    from unnest(sold_events, sold_orders) as s (event_id, order_id)
    join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id;
  insert into tickets (event_id, id, order_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
  select l.event_id, new_row_id(), l.order_id, l.ticket_type_id, new_confirmation_number(), l.ticket_name, l.unit_price_cents, o.buyer_email, moment
    from unnest(sold_events, sold_orders) as s (event_id, order_id)
    join orders o on o.event_id = s.event_id and o.id = s.order_id
    join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id
   cross join generate_series(1, l.quantity)
      on conflict (event_id, confirmation_number) do nothing;
  get diagnostics issued = row_count;
  -- Retries on a collision.
  while issued < missing loop
    missing := missing - issued;
    insert into tickets (event_id, id, order_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
    select l.event_id, new_row_id(), l.order_id, l.ticket_type_id, new_confirmation_number(), l.ticket_name, l.unit_price_cents, o.buyer_email, moment
      from unnest(sold_events, sold_orders) as s (event_id, order_id)
      join orders o on o.event_id = s.event_id and o.id = s.order_id
      join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id
     cross join generate_series(1, l.quantity - (
       select count(*)::integer from tickets t
        where t.event_id = l.event_id and t.order_id = l.order_id and t.ticket_type_id = l.ticket_type_id))
        on conflict (event_id, confirmation_number) do nothing;
    get diagnostics issued = row_count;
  end loop;

  with written as (
    insert into email_outbox (id, kind, subject_id, to_address, params, created_at)
    select new_row_id(), 'tickets', o.id::text, o.buyer_email, jsonb_build_object('eventId', o.event_id), moment
      from unnest(sold_events, sold_orders) as s (event_id, order_id)
      join orders o on o.event_id = s.event_id and o.id = s.order_id
        on conflict (kind, subject_id, version) do nothing
    returning id)
  select array_agg(('send-email', json_build_object('emailId', id), null, now(), 25, null, null, null)::graphile_worker.job_spec)
    into jobs from written;
  if jobs is not null then perform graphile_worker.add_jobs(jobs); end if;
  return settled;
exception when lock_not_available then
  -- One locked order must not delay a batch: its orders are retried one by one. A single one is left to a caller that can wait.
  if cardinality(paid_orders) > 1 then raise; end if;
  return '{}';
end $$;

-- Counts refunded tickets too, so a refund does not renumber the others.
create or replace function tickets_of_order(of_event text, of_order uuid)
  returns table (ticket_id uuid, "position" integer, order_size integer) language sql stable as $$
  select t.id, row_number() over (order by l.position, t.id)::integer, count(*) over ()::integer
    from tickets t
    join order_lines l on l.event_id = t.event_id and l.order_id = t.order_id and l.ticket_type_id = t.ticket_type_id
   where t.event_id = of_event and t.order_id = of_order
$$;
