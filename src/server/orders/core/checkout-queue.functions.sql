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

-- Claims the next queued orders, as many as the rate allows: one of each event in turn, so that no event waits for all orders of
-- another. Each stays queued, claimed for a while, until its page is known; its reservation now lasts as long as the page. Returns with
-- each the wait until the next one, in milliseconds; without any, one row that says that, or nothing for an empty queue.
create or replace function dequeue_checkouts(
  at_most integer, per_second double precision, page_minutes integer, shortest_seconds integer, taken_seconds integer
) returns table (event_id text, order_id uuid, attempt integer, page_ends_at timestamptz, wait_ms double precision)
language plpgsql
-- Reads the head of each event's queue in order and no further: sorting 40,000 queued orders took half a second.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  moment timestamptz := business_now();
  budget double precision;
  turns integer;
  last_served text;
  visited text;
  is_second_round boolean := false;
  due text[] := '{}';
begin
  if not exists (select from checkout_queue) then return; end if;
  budget := refill_checkout_rate(per_second);
  turns := least(at_most, greatest(0, floor(budget)));
  wait_ms := greatest(0, 1 - (budget - turns)) / per_second * 1000;
  if turns = 0 then return next; return; end if;
  -- Under the bucket's lock, which the refill took.
  select coalesce(last_event, '') into last_served from checkout_rate;

  -- The events with an order to serve, in rotation. Each "case" keeps the index of reservations out of the plan: orders are looked up by
  -- their keys, whatever the planner takes from old statistics.
  visited := last_served;
  while cardinality(due) < turns loop
    select l.event_id into visited from checkout_queue l where l.event_id > visited order by l.event_id limit 1;
    exit when is_second_round and (visited is null or visited > last_served);
    if visited is null then
      is_second_round := true;
      visited := '';
      continue;
    end if;
    -- An order that no longer waits leaves the queue when it comes to the head.
    delete from checkout_queue l using orders o
     where l.event_id = visited
       and l.order_id = (select head.order_id from checkout_queue head where head.event_id = visited order by head.position limit 1)
       and o.event_id = l.event_id and o.id = l.order_id and (o.state <> 'reserved' or o.session_id is not null);
    perform from checkout_queue l
       join orders o on o.event_id = l.event_id and o.id = l.order_id
      where l.event_id = visited and l.not_before <= clock_timestamp()
        and case when o.state = 'reserved' and o.session_id is null then o.reservation_expires_at > moment end
      order by l.position
      limit 1;
    if found then due := due || visited; end if;
  end loop;

  for event_id, order_id, attempt, page_ends_at in
    with head as materialized (
      select one.*, row_number() over (partition by one.event_id order by one.position) as round, e.place
        from unnest(due) with ordinality as e (id, place)
       cross join lateral (
         select l.event_id, l.order_id, l.position, o.reservation_expires_at,
                l.attempt = 0 or o.reservation_expires_at < moment + make_interval(secs => shortest_seconds) as is_renewed
           from checkout_queue l
           join orders o on o.event_id = l.event_id and o.id = l.order_id
          where l.event_id = e.id and l.not_before <= clock_timestamp()
            and case when o.state = 'reserved' and o.session_id is null then o.reservation_expires_at > moment end
          order by l.position
          -- At most what is left once each of the other events was served.
          limit turns - cardinality(due) + 1
            for no key update of l, o skip locked) as one
       order by round, e.place
       limit turns),
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
     order by head.round, head.place
  loop
    budget := budget - 1;
    last_served := event_id;
    return next;
  end loop;
  update checkout_rate set tokens = budget, last_event = last_served;
end $$;
