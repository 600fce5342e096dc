-- The statement of a payout names the paid tickets, which its fees are billed on, the free ones, and those on hold.
update payouts p
   set statement = (statement - 'ticketsSold') || jsonb_build_object(
         'paidTickets', statement -> 'ticketsSold',
         'freeTickets', (select count(*) from tickets t
                          where p.seq = 1 and t.event_id = p.event_id and t.price_cents = 0 and t.disputed_at is null
                            and t.state in ('valid', 'scanned')),
         'withheldTickets', (select count(*) from tickets t
                              where t.event_id = p.event_id and t.state in ('valid', 'scanned', 'void')
                                and exists (select 1 from disputes d
                                             where d.event_id = t.event_id and d.order_id = t.order_id
                                               and d.withheld_from = p.id)));
