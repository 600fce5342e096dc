-- Ids and numbers that the batch makes for itself; the same kinds as the server's own.

-- A UUID of version 7: the time in milliseconds first, so that rows made together lie together.
create function new_row_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Ten digits nobody can foresee: whoever knows them can ask for the ticket's refund. The last 60 bits of a random UUID are all random.
create function new_confirmation_number() returns text language sql volatile as $$
  select (1000000000 + ('x' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 18))::bit(60)::bigint % 9000000000)::text
$$;

-- Turns many held orders into tickets in one statement and one commit: what fulfilling one order does, where nothing stands against it.
-- Answers the places in the arrays, counted from 1, of those that are settled now, whether by this call or before it. All others are
-- left exactly as they were: somebody else holds them, or there is something to decide. Of an order named twice the first counts.
create function complete_batch(
  paid_events text[], paid_orders uuid[], sessions text[], payments text[], emails text[], totals integer[], fees integer[]
) returns integer[] language plpgsql
  set lock_timeout = '400ms' set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  moment timestamptz := business_now();
  kept_events text[];
  settled integer[];
  sold integer[];
  sold_events text[];
  sold_orders uuid[];
  missing integer;
  issued integer;
  jobs graphile_worker.job_spec[];
begin
  -- Events before orders, as everywhere. What is locked is passed over: nobody waits here, so nobody waits in a circle.
  select array_agg(id) into kept_events
    from (select id from events where id = any (paid_events) for share skip locked) as kept;

  -- A statement of its own: only now can no payout and no cancellation come any more.
  select array_agg(place), array_agg(place) filter (where state = 'held'),
         array_agg(event_id) filter (where state = 'held'), array_agg(id) filter (where state = 'held')
    into settled, sold, sold_events, sold_orders
    from (
      select p.place, o.event_id, o.id, o.state
        from (select distinct on (event_id, order_id) *
                from unnest(paid_events, paid_orders, sessions, totals) with ordinality as asked (event_id, order_id, session, total, place)
               where event_id = any (kept_events)
               order by event_id, order_id, place) as p
        join events e on e.id = p.event_id and e.cancelled_at is null
       cross join lateral (
         select * from orders
          where event_id = p.event_id and id = p.order_id and total_cents = p.total
            and (state = 'held' and coalesce(session_id, p.session) = p.session or state = 'paid' and session_id = p.session)
            for update skip locked) as o
       where not exists (select from payouts where payouts.event_id = p.event_id)) as mine;
  if settled is null then return '{}'; end if;

  insert into ledger_entries (event_id, subject_id, kind, transaction_id, account, cents, created_at)
  with movements as materialized (
    select event_id, order_id, new_row_id() as sale_id, new_row_id() as fee_id, total, fee, place = any (sold) as is_sold
      from unnest(paid_events, paid_orders, totals, fees) with ordinality as p (event_id, order_id, total, fee, place)
     where place = any (settled))
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
    from unnest(paid_events, paid_orders, sessions, payments, emails) with ordinality as p (event_id, order_id, session, payment, email, place)
   where o.event_id = p.event_id and o.id = p.order_id and p.place = any (sold);

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
  -- Random numbers do meet by chance; whoever finds theirs taken draws again.
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
    insert into mail_outbox (id, kind, subject_id, to_address, params, created_at)
    select new_row_id(), 'tickets', o.id::text, o.buyer_email, jsonb_build_object('eventId', o.event_id), moment
      from unnest(sold_events, sold_orders) as s (event_id, order_id)
      join orders o on o.event_id = s.event_id and o.id = s.order_id
        on conflict (kind, subject_id, version) do nothing
    returning id)
  select array_agg(('send-mail', json_build_object('mailId', id), null, now(), 25, null, null, null)::graphile_worker.job_spec)
    into jobs from written;
  if jobs is not null then perform graphile_worker.add_jobs(jobs); end if;
  return settled;
exception when lock_not_available then
  -- Among many, one order must not keep the others: they are tried one by one. That one alone is left to whoever can wait.
  if cardinality(paid_orders) > 1 then raise; end if;
  return '{}';
end $$;

-- Checks in many tickets in one statement and one commit. Answers, by the place in the arrays, who was let in, and of whoever was not
-- all that the locked row says. Nobody is waited for: there is no answer where somebody else holds the ticket, where there is none, or where
-- an earlier scan in the arrays is of the same ticket.
create function admit_batch(events_asked text[], numbers_asked text[], scanners uuid[])
  returns table (place bigint, is_admitted boolean, ticket_name text, state text, scanned_at timestamptz, scanned_by uuid, disputed_at timestamptz,
                 cancelled_at timestamptz, timezone text, now timestamptz) language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  -- Asked once: as part of the statement it would be looked up for every row.
  moment timestamptz := business_now();
begin
  return query
  with found as (
    select s.place, s.scanner, t.*, e.cancelled_at, e.timezone,
           t.state = 'valid' and t.disputed_at is null and e.cancelled_at is null as is_admissible
      from (select distinct on (event_id, confirmation_number) *
              from unnest(events_asked, numbers_asked, scanners) with ordinality as asked (event_id, confirmation_number, scanner, place)
             order by event_id, confirmation_number, place) as s
      join events e on e.id = s.event_id
     cross join lateral (
       select * from tickets
        where event_id = s.event_id and confirmation_number = s.confirmation_number
          for no key update skip locked) as t
  ), admitted as (
    update tickets t
       set state = 'scanned', scanned_at = moment, scanned_by = f.scanner
      from found f
     where t.event_id = f.event_id
       and t.id = f.id
       and f.is_admissible
       and t.state = 'valid'
    returning f.place, t.ticket_name
  )
  -- Nobody asks for more of a guest who is let in.
  select place, true, ticket_name, null, null::timestamptz, null::uuid, null::timestamptz, null::timestamptz, null, null::timestamptz
    from admitted
  union all
  select place, false, ticket_name, state, scanned_at, scanned_by, disputed_at, cancelled_at, timezone, moment
    from found where not is_admissible;
end $$;

-- Room on each page for tickets that are checked in, so that the indexes need not be told.
alter table tickets set (fillfactor = 90);
