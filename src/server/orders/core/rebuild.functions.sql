-- Inserts an order that the database lost, as an expired one: from here on, it is a late payment. False if the order or its session is
-- known. Without lines where the event no longer has one of its ticket types: nothing can be reserved for it then. Lines keep the
-- promo code if the database knows it.
create or replace function rebuild_order(
  of_event text, of_order uuid, session text, total integer, type_ids uuid[], list_prices integer[], prices integer[], quantities integer[],
  promos uuid[], moment timestamptz
) returns boolean language plpgsql as $$
begin
  insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, created_at, rebuilt_at)
  values (of_event, of_order, 'expired', total, moment, session, moment, moment)
      on conflict do nothing;
  if not found then return false; end if;
  if exists (select from unnest(type_ids) as l (id)
              where not exists (select from ticket_types t where t.event_id = of_event and t.id = l.id)) then
    return true;
  end if;
  insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, discount_cents, unit_price_cents,
                           quantity, source, promo_code_id)
  select of_event, of_order, l.type_id, l.position, t.name, p.list_price, p.list_price - l.price, l.price, l.quantity,
         case when c.id is not null then 'promo' when t.has_named_price then 'named' else 'list' end, c.id
    from unnest(type_ids, list_prices, prices, quantities, promos) with ordinality as l (type_id, list_price, price, quantity, promo, position)
    join ticket_types t on t.event_id = of_event and t.id = l.type_id
    left join promo_codes c on c.event_id = of_event and c.id = l.promo
   cross join lateral (select case when c.id is null then l.price else l.list_price end as list_price) as p;
  return true;
end $$;
