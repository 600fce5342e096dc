-- An event with orders can't become a draft, whatever became of them.
create or replace function drafts_have_no_orders() returns trigger language plpgsql as $$
begin
  if exists (select from orders where event_id = new.id) then
    raise exception 'event % has orders', new.id using errcode = 'check_violation', constraint = 'drafts_have_no_orders';
  end if;
  return null;
end $$;

create or replace trigger drafts_have_no_orders after update of published_at on events
  for each row when (new.published_at is null)
  execute function drafts_have_no_orders();

-- Deletes an event's unpaid orders whose checkout ended so long ago that no payment can arrive any more. The caller holds the event's lock.
create or replace function delete_ended_checkouts(of_event text, before timestamptz) returns void language plpgsql as $$
declare
  ended uuid[];
begin
  select array_agg(id) into ended
    from (select o.id from orders o
           where o.event_id = of_event and o.state = 'expired' and o.payment_id is null and o.received_cents is null
             and o.reservation_expires_at < before
             and not exists (select from refunds r where r.event_id = of_event and r.order_id = o.id)
             and not exists (select from disputes d where d.event_id = of_event and d.order_id = o.id)
             and not exists (select from checkout_queue q where q.event_id = of_event and q.order_id = o.id)
             for update skip locked) as unpaid;
  delete from order_lines where event_id = of_event and order_id = any (ended);
  delete from orders where event_id = of_event and id = any (ended);
end $$;
