-- What the buyer of an order still has to get and nothing is on its way to bring. A refund that came back is owed until it is paid,
-- by an operator or at the card company itself.
create function owed_to_buyer(of_event text, of_order uuid) returns bigint language sql stable as $$
  select greatest(0,
    (select coalesce(-sum(l.cents), 0) from ledger_entries l
      where l.event_id = of_event and l.account = 'owed-to-buyers'
        and l.subject_id in (select of_order
                             union all select id from refunds where event_id = of_event and order_id = of_order
                             union all select id from disputes where event_id = of_event and order_id = of_order))
    - (select coalesce(sum(cents), 0) from refunds
        where event_id = of_event and order_id = of_order and state = 'sent' and moved_at is null))::bigint
$$;
