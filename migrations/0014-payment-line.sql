-- Payment pages are opened no faster than the card company allows. What the pace still allows is counted in one row for all
-- servers, in real time: it limits calls, whatever the business clock says. Below 0 after the card company asked for a pause.
create table payment_pace (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  tokens double precision not null default 0,
  counted_at timestamptz not null default 'epoch'
) with (fillfactor = 50);
insert into payment_pace default values;

-- Orders whose tickets are held and whose payment page is still to come, in the order in which the pages are opened.
create table payment_line (
  event_id text not null,
  order_id uuid not null,
  place bigint not null generated always as identity,
  -- Taken by a server until then, or not to be tried before. In real time.
  not_before timestamptz not null default '-infinity',
  -- Counts the ends that its page was asked for with: another end is another call, with a key of its own.
  attempt integer not null default 0,
  primary key (event_id, order_id),
  foreign key (event_id, order_id) references orders
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index payment_line_place on payment_line (place);

-- A second's quarter at most is saved up, so that no second sees much more than its share.
create function refill_payment_pace(per_second double precision) returns double precision language sql as $$
  update payment_pace
     set tokens = least(greatest(1, per_second / 4),
                        tokens + greatest(0, extract(epoch from clock_timestamp() - counted_at)) * per_second),
         counted_at = clock_timestamp()
  returning tokens
$$;

-- How many of so many may open a page at once: none while others wait.
create function take_pages_at_once(wanted integer, per_second double precision) returns integer language plpgsql as $$
declare
  -- The row of the pace lets one server at a time through, so that places follow each other.
  allowed integer := greatest(0, floor(refill_payment_pace(per_second)));
begin
  if exists (select from payment_line) then allowed := 0; end if;
  allowed := least(allowed, wanted);
  update payment_pace set tokens = tokens - allowed where allowed > 0;
  return allowed;
end $$;

-- The next in line, as many as the pace allows; each stays in line until its page is known, taken for a while. Their hold is the
-- page's from here on. Who is not held any more leaves the line. Answers with each how long to wait until another may go, in
-- milliseconds; without any, one row that says that, or nothing when nobody waits.
create function take_payment_turns(
  at_most integer, per_second double precision, page_minutes integer, shortest_seconds integer, taken_seconds integer
) returns table (event_id text, order_id uuid, attempt integer, page_ends_at timestamptz, wait_ms double precision)
language plpgsql
-- The head of the line is read in order and no further: with 40,000 behind it, sorting them all took half a second a turn.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off as $$
#variable_conflict use_column
declare
  moment timestamptz := business_now();
  budget double precision;
  turns integer;
begin
  if not exists (select from payment_line) then return; end if;
  budget := refill_payment_pace(per_second);
  turns := least(at_most, greatest(0, floor(budget)));
  wait_ms := greatest(0, 1 - (budget - turns)) / per_second * 1000;
  if turns = 0 then return next; return; end if;

  delete from payment_line l using orders o
   where o.event_id = l.event_id and o.id = l.order_id
     and (l.event_id, l.order_id) in (select head.event_id, head.order_id from payment_line head order by head.place limit 4 * turns)
     and (o.state <> 'held' or o.session_id is not null);

  for event_id, order_id, attempt, page_ends_at in
    with head as (
      select l.event_id, l.order_id, l.place, l.attempt, o.hold_expires_at,
             l.attempt = 0 or o.hold_expires_at < moment + make_interval(secs => shortest_seconds) as is_dated_anew
        from payment_line l
        join orders o on o.event_id = l.event_id and o.id = l.order_id
       where l.not_before <= clock_timestamp() and o.state = 'held' and o.session_id is null and o.hold_expires_at > moment
       order by l.place
       limit turns
         for no key update of l, o skip locked),
    taken as (
      update payment_line l
         set not_before = clock_timestamp() + make_interval(secs => taken_seconds),
             attempt = l.attempt + head.is_dated_anew::integer
        from head
       where l.event_id = head.event_id and l.order_id = head.order_id
      returning l.event_id, l.order_id, l.attempt),
    held as (
      update orders o
         set hold_expires_at = case when head.is_dated_anew then moment + make_interval(mins => page_minutes) else o.hold_expires_at end
        from head
       where o.event_id = head.event_id and o.id = head.order_id
      returning o.event_id, o.id, o.hold_expires_at)
    select head.event_id, head.order_id, taken.attempt, held.hold_expires_at
      from head
      join taken on taken.event_id = head.event_id and taken.order_id = head.order_id
      join held on held.event_id = head.event_id and held.id = head.order_id
     order by head.place
  loop
    budget := budget - 1;
    return next;
  end loop;
  update payment_pace set tokens = budget;
end $$;

-- Gives back the tickets of holds that are over and never had a payment page: so many at most, from the given end of a hold on.
-- With an event, of all its holds without a page, over or not: it was cancelled. One server at a time: another one waits, or is
-- answered nothing. Answers how many, and the latest end among them.
--
-- The orders first and the stock last, unlike everywhere else, so that the rows everyone wants are locked for the shortest time. No
-- circle comes of it: orders that somebody else holds are skipped, and whoever holds stock and waits for such an order is waited
-- for half a second only.
create function give_back_unopened(at_most integer, since timestamptz, of_event text, waits boolean)
returns table (holds integer, reached timestamptz) language plpgsql
-- A few thousand of perhaps millions: the rows are looked up by their keys, whatever the planner thinks of old statistics.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
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
    select o.ctid as row_at, o.event_id, o.id, o.hold_expires_at from orders o
     where o.state = 'held' and o.session_id is null and o.hold_expires_at >= since and o.hold_expires_at <= moment
       and (of_event is null or o.event_id = of_event)
     order by o.hold_expires_at
     limit at_most
       for no key update skip locked),
  ended as (
    update orders o set state = 'expired' from over
     where o.ctid = over.row_at and o.event_id = over.event_id and o.id = over.id
    returning o.event_id, o.id, o.hold_expires_at),
  gone as (
    delete from payment_line l using ended where l.event_id = ended.event_id and l.order_id = ended.id),
  back as (
    select l.event_id, l.ticket_type_id, sum(l.quantity)::integer as quantity
      from ended join order_lines l on l.event_id = ended.event_id and l.order_id = ended.id
     group by l.event_id, l.ticket_type_id)
  select ended_count, ended_until, back_of.events, back_of.types, back_of.quantities
    into holds, reached, back_events, back_types, quantities
    from (select count(*)::integer as ended_count, max(hold_expires_at) as ended_until from ended) as counted
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
