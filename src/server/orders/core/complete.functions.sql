-- Ten unpredictable digits: they are enough to request the ticket's refund. The last 60 bits of a random UUID are all random.
create or replace function new_confirmation_number() returns text language sql volatile as $$
  select (1000000000 + ('x' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 18))::bit(60)::bigint % 9000000000)::text
$$;

-- Issues one ticket per unit of each line of these orders, each with a confirmation number of its own.
create or replace function issue_tickets(event_ids text[], order_ids uuid[], moment timestamptz) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  missing integer;
  issued integer;
begin
  select sum(l.quantity) into missing
    from unnest(event_ids, order_ids) as s (event_id, order_id)
    join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id;
  insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
  select l.event_id, new_row_id(), l.order_id, l.id, l.ticket_type_id, n.number, l.ticket_name, l.unit_price_cents, o.buyer_email, moment
    from unnest(event_ids, order_ids) as s (event_id, order_id)
    join orders o on o.event_id = s.event_id and o.id = s.order_id
    join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id
   cross join lateral (select new_confirmation_number() as number from generate_series(1, l.quantity)) as n
   where not exists (select from former_numbers f where f.event_id = l.event_id and f.number = n.number)
      on conflict (event_id, confirmation_number) do nothing;
  get diagnostics issued = row_count;
  -- Retries on a collision.
  while issued < missing loop
    missing := missing - issued;
    insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
    select l.event_id, new_row_id(), l.order_id, l.id, l.ticket_type_id, n.number, l.ticket_name, l.unit_price_cents, o.buyer_email, moment
      from unnest(event_ids, order_ids) as s (event_id, order_id)
      join orders o on o.event_id = s.event_id and o.id = s.order_id
      join order_lines l on l.event_id = s.event_id and l.order_id = s.order_id
     cross join lateral (select new_confirmation_number() as number from generate_series(1, l.quantity - (
       select count(*)::integer from tickets t
        where t.event_id = l.event_id and t.order_id = l.order_id and t.order_line_id = l.id))) as n
     where not exists (select from former_numbers f where f.event_id = l.event_id and f.number = n.number)
        on conflict (event_id, confirmation_number) do nothing;
    get diagnostics issued = row_count;
  end loop;
end $$;

-- Turns reserved orders into sales: records the money, marks them paid, issues their tickets and queues their emails. The caller holds
-- the orders' locks and has checked their payments.
create or replace function sell_orders(
  event_ids text[], order_ids uuid[], sessions text[], payments text[], emails text[], names text[], totals integer[], fees integer[], cards bytea[],
  moment timestamptz
) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  guest_events text[];
  guest_orders uuid[];
begin
  perform record_sales(event_ids, order_ids, totals, fees, moment);
  with paid as (
    update orders o
       set state = 'paid', session_id = p.session, payment_id = p.payment, buyer_email = p.email, buyer_name = p.name, paid_at = moment, network_hash = null,
           card_hash = p.card
      from unnest(event_ids, order_ids, sessions, payments, emails, names, cards) as p (event_id, order_id, session, payment, email, name, card)
     where o.event_id = p.event_id and o.id = p.order_id
    returning o.event_id, o.id, o.form_version is not null or o.comp_batch_id is not null as has_guests)
  select array_agg(event_id), array_agg(id) into guest_events, guest_orders from paid where has_guests;
  perform issue_tickets(event_ids, order_ids, moment);
  -- Only where buyers are asked or a member names guests: other sales have none to link.
  if guest_orders is not null then perform link_guests(guest_events, guest_orders); end if;
  perform queue_emails('tickets', array_agg(p.order_id::text), emails, array_agg(jsonb_build_object('eventId', p.event_id)), moment)
    from unnest(event_ids, order_ids) as p (event_id, order_id);
end $$;

-- Completes many reserved orders in one statement and one commit. Returns the positions in the arrays, from 1, of the orders that are
-- settled now, by this call or before it. All others are left as they were: they are locked, or need a decision. If an order is named
-- twice, the first counts.
create or replace function complete_orders(
  paid_events text[], paid_orders uuid[], sessions text[], payments text[], emails text[], names text[], totals integer[], fees integer[], cards bytea[]
) returns integer[] language plpgsql
  set lock_timeout = '400ms' set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  moment timestamptz := business_now();
  locked_events text[];
  settled integer[];
  sold integer[];
begin
  -- Events before orders, as everywhere. Locked rows are skipped: without waiting there is no deadlock.
  select array_agg(id) into locked_events
    from (select id from events where id = any (paid_events) for share skip locked) as kept;

  -- A separate statement: only now are payouts and cancellations excluded.
  select array_agg(index), array_agg(index) filter (where state = 'reserved') into settled, sold
    from (
      select p.index, o.event_id, o.id, o.state
        from (select distinct on (event_id, order_id) *
                from unnest(paid_events, paid_orders, sessions, totals) with ordinality as asked (event_id, order_id, session, total, index)
               where event_id = any (locked_events)
               order by event_id, order_id, index) as p
        join events e on e.id = p.event_id and e.cancelled_at is null and e.payout_requested_at is null
       cross join lateral (
         select * from orders
          where event_id = p.event_id and id = p.order_id and total_cents = p.total
            and (state = 'reserved' and coalesce(session_id, p.session) = p.session or state = 'paid' and session_id = p.session)
            for update skip locked) as o) as mine;
  if settled is null then return '{}'; end if;

  -- Stripe often reports its fee after the payment, so an order that is paid already may still lack it.
  if cardinality(settled) > coalesce(cardinality(sold), 0) then
    perform record_sales(array_agg(p.event_id), array_agg(p.order_id), null, array_agg(p.fee), moment)
      from unnest(paid_events, paid_orders, fees) with ordinality as p (event_id, order_id, fee, index)
     where p.index = any (settled) and p.index <> all (coalesce(sold, '{}'));
  end if;
  perform sell_orders(array_agg(p.event_id), array_agg(p.order_id), array_agg(p.session), array_agg(p.payment), array_agg(p.email),
                      array_agg(p.name), array_agg(p.total), array_agg(p.fee), array_agg(p.card), moment)
    from unnest(paid_events, paid_orders, sessions, payments, emails, names, totals, fees, cards) with ordinality
           as p (event_id, order_id, session, payment, email, name, total, fee, card, index)
   where p.index = any (sold)
  having count(*) > 0;
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
    join order_lines l on l.event_id = t.event_id and l.order_id = t.order_id and l.id = t.order_line_id
   where t.event_id = of_event and t.order_id = of_order
$$;

-- Points the names and answers of these orders at their tickets.
create or replace function link_guests(event_ids text[], order_ids uuid[]) returns void language sql as $$
  update order_guests g
     set ticket_id = n.ticket_id
    from unnest(event_ids, order_ids) as s (event_id, order_id)
   cross join lateral tickets_of_order(s.event_id, s.order_id) as n
   where g.event_id = s.event_id and g.order_id = s.order_id and g.position = n.position
$$;
