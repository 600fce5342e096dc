-- Gives a ticket to another address, under a new confirmation number. The old one no longer admits. The caller holds the
-- ticket's lock.
create or replace function transfer_ticket(of_event text, of_ticket uuid, to_address text, moment timestamptz) returns void language plpgsql as $$
declare
  fresh text;
begin
  insert into former_numbers (event_id, number, ticket_id, replaced_at)
  select t.event_id, t.confirmation_number, t.id, moment from tickets t where t.event_id = of_event and t.id = of_ticket;
  loop
    fresh := new_confirmation_number();
    exit when not exists (select from tickets t where t.event_id = of_event and t.confirmation_number = fresh)
          and not exists (select from former_numbers f where f.event_id = of_event and f.number = fresh);
  end loop;
  update tickets t
     set confirmation_number = fresh, buyer_email = to_address, transferred_count = transferred_count + 1
   where t.event_id = of_event and t.id = of_ticket;
end $$;

-- Moves an order to another address, with its tickets except transferred ones. The caller holds the order's lock.
create or replace function correct_address(of_event text, of_order uuid, to_address text) returns void language plpgsql as $$
begin
  perform from tickets t where t.event_id = of_event and t.order_id = of_order order by t.id for no key update;
  update orders o set buyer_email = to_address, link_version = link_version + 1 where o.event_id = of_event and o.id = of_order;
  update tickets t
     set buyer_email = to_address
   where t.event_id = of_event and t.order_id = of_order and t.transferred_count = 0;
end $$;

-- The number that a ticket had then: its holder of that time must not learn a later one.
create or replace function number_at(of_event text, of_ticket uuid, moment timestamptz) returns text language sql stable as $$
  select coalesce(
    (select f.number from former_numbers f
      where f.event_id = of_event and f.ticket_id = of_ticket and f.replaced_at >= moment order by f.replaced_at limit 1),
    (select t.confirmation_number from tickets t where t.event_id = of_event and t.id = of_ticket))
$$;
