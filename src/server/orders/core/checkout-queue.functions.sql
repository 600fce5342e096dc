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
