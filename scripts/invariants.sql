-- Invariants of the money. Each statement returns violations as (invariant, subject, found); no rows means all is well.
-- Read-only, and safe to run while the app is running:
--
--   psql "$DATABASE_URL" -f scripts/invariants.sql
--
-- Work in progress is not a violation: whatever is only late is reported after 15 minutes.

-- Ledger.

select 'ledger-transactions-sum-to-0' as invariant, transaction_id::text as subject, sum(cents)::text as found
  from ledger_entries
 group by event_id, transaction_id
having sum(cents) <> 0;

select 'movements-are-booked-once' as invariant, concat_ws(' ', kind, subject_id) as subject, count(distinct transaction_id)::text as found
  from ledger_entries
 group by event_id, kind, subject_id
having count(distinct transaction_id) > 1;

-- Every cent paid is in the ledger, with the right sign.
select 'paid-orders-are-booked' as invariant, o.id::text as subject, concat_ws(' ', o.state, o.total_cents, 'booked', b.cents) as found
  from orders o
  left join lateral (
    select coalesce(sum(cents), 0) as cents from ledger_entries l
     where l.event_id = o.event_id and l.subject_id = o.id and l.account = 'processor' and l.kind in ('sale', 'unfulfillable-sale')) b on true
 where b.cents <> case when o.state in ('paid', 'unfulfillable') then coalesce(o.received_cents, o.total_cents)
                       when o.state = 'needs-review' then coalesce(o.received_cents, 0) else 0 end;

select 'refunds-are-booked' as invariant, r.id::text as subject, concat_ws(' ', r.state, r.cents, 'booked', b.cents) as found
  from refunds r
  left join lateral (
    select -coalesce(sum(cents), 0) as cents from ledger_entries l
     where l.event_id = r.event_id and l.subject_id = r.id and l.account = 'processor') b on true
 where b.cents <> case when r.state = 'sent' and r.moved_at is not null then r.cents else 0 end;

select 'payouts-are-booked' as invariant, p.id::text as subject, concat_ws(' ', p.state, p.cents, 'booked', b.cents) as found
  from payouts p
  left join lateral (
    select -coalesce(sum(cents), 0) as cents from ledger_entries l
     where l.event_id = p.event_id and l.subject_id = p.id and l.account = 'processor') b on true
 where b.cents <> case when p.state = 'paid' then p.cents else 0 end;

select 'disputes-are-booked' as invariant, d.id::text as subject, concat_ws(' ', d.state, d.cents, 'booked', b.cents) as found
  from disputes d
  left join lateral (
    select coalesce(sum(cents), 0) as cents from ledger_entries l
     where l.event_id = d.event_id and l.subject_id = d.id and l.account = 'disputed') b on true
 where b.cents <> case when d.state = 'open' then d.cents else 0 end;

-- Credits are negative: a positive balance means that an organizer or a buyer got too much.
select 'nobody-gets-more-than-is-owed' as invariant, concat_ws(' ', event_id, account) as subject, sum(cents)::text as found
  from ledger_entries
 where account in ('organizer-payable', 'owed-to-buyers')
 group by event_id, account
having sum(cents) > 0;

-- An organizer's debt can be deducted from any of their payouts, but never more than the debt.
select 'no-more-is-deducted-than-is-owed' as invariant, e.organization_id::text as subject, sum(l.cents)::text as found
  from ledger_entries l
  join events e on e.id = l.event_id
 where l.account = 'receivables'
 group by e.organization_id
having sum(l.cents) < 0;

-- Without disputes and external refunds, a payout leaves a balance of zero, or what it holds back.
select 'a-payout-leaves-nothing' as invariant, l.event_id as subject, sum(l.cents)::text as found
  from ledger_entries l
 cross join lateral (
   select coalesce(sum(r.cents - r.taken_cents), 0) as cents
     from payout_reserves r
     left join payouts later on later.event_id = r.event_id and later.id = r.paid_by
    where r.event_id = l.event_id and later.state is distinct from 'paid') held
 where l.account = 'organizer-payable'
   and exists (select 1 from payouts p where p.event_id = l.event_id and p.state = 'paid')
   and not exists (select 1 from disputes d where d.event_id = l.event_id)
   and not exists (select 1 from refunds r where r.event_id = l.event_id and r.reason = 'external')
 group by l.event_id, held.cents
having sum(l.cents) <> -held.cents;

-- What is held back is on the statement that says so, and on that of the payout that pays it.
select 'payouts-hold-back-what-they-say' as invariant, p.id::text as subject, concat_ws(' ', held.cents, 'of', stated.cents) as found
  from payouts p
 cross join lateral (select coalesce(sum(cents), 0) as cents from payout_reserves r
                      where r.event_id = p.event_id and r.payout_id = p.id) held
 cross join lateral (select coalesce(sum((part ->> 'cents')::bigint), 0) as cents
                       from jsonb_array_elements(coalesce(p.statement -> 'held', '[]')) part) stated
 where held.cents <> stated.cents;

-- Disputes and refunds after a payout take what it held back before its transfer.
select 'what-is-taken-was-held-back' as invariant, h.event_id as subject, concat_ws(' ', h.cents, 'taken for', t.cents) as found
  from (select event_id, sum(taken_cents) as cents from payout_reserves group by event_id) h
  full join (select event_id, sum(reserve_cents) as cents from transfer_reversals group by event_id) t using (event_id)
 where coalesce(h.cents, 0) <> coalesce(t.cents, 0);

select 'what-was-held-back-is-paid-once' as invariant, r.id::text as subject, concat_ws(' ', r.cents - r.taken_cents, 'paid', p.statement ->> 'grossCents') as found
  from payout_reserves r
  join payouts p on p.event_id = r.event_id and p.id = r.paid_by
 where (p.statement ->> 'grossCents')::bigint <> r.cents - r.taken_cents
    or (select count(*) from payout_reserves other where other.event_id = r.event_id and other.paid_by = r.paid_by) > 1;

-- Stripe's fee on the refunded part of each payment, where the event leaves it to the organizer: from the payout, or a debt.
select 'refund-costs-are-the-lost-fees' as invariant, e.id as subject, concat_ws(' ', booked.cents, 'of', lost.cents) as found
  from events e
  left join payouts p on p.event_id = e.id and p.seq = 1
 cross join lateral (select -coalesce(sum(cents), 0) as cents from ledger_entries
                      where event_id = e.id and kind = 'refund-costs' and account = 'card-fees') booked
 cross join lateral (
   select coalesce(sum((2 * fee.cents * r.cents + charged.cents) / (2 * charged.cents)), 0) as cents
     from (select order_id, sum(cents)::bigint as cents from refunds
            where event_id = e.id and ticket_id is not null and state in ('sent', 'failed') group by order_id) r
     join orders o on o.event_id = e.id and o.id = r.order_id
     join ledger_entries fee on fee.event_id = e.id and fee.subject_id = o.id and fee.kind = 'card-fee' and fee.account = 'card-fees'
      and (p.id is null or fee.created_at <= p.requested_at)
    cross join lateral (select coalesce(o.received_cents, o.total_cents)::bigint as cents) charged
    where e.fee_terms ->> 'refundCosts' = 'organizer') lost
 where (p.state = 'paid' or e.cancelled_at < business_now() - interval '15 minutes' or booked.cents > 0)
   and booked.cents <> lost.cents;

select 'paid-out-and-refunded-within-collected' as invariant, e.id as subject,
       concat_ws(' ', 'collected', c.cents, 'refunded', r.cents, 'paid out', p.cents, 'reversed', b.cents) as found
  from events e
 cross join lateral (select coalesce(sum(coalesce(received_cents, total_cents)), 0) as cents from orders
                      where event_id = e.id and state in ('paid', 'unfulfillable', 'needs-review')) c
 cross join lateral (select coalesce(sum(cents), 0) as cents from refunds where event_id = e.id and state = 'sent') r
 cross join lateral (select coalesce(sum(cents), 0) as cents from payouts where event_id = e.id) p
 cross join lateral (select coalesce(sum(gross_cents - fees_cents - reserve_cents), 0) as cents from transfer_reversals
                      where event_id = e.id) b
 where r.cents + p.cents - b.cents > c.cents;

-- Stock, orders and tickets.

-- Capacity is taken by reserved orders and by each ticket until its money is returned.
select 'stock-is-what-exists' as invariant, concat_ws(' ', t.event_id, t.id) as subject,
       concat_ws(' ', 'reserved', t.reserved, 'reserved', h.places, 'tickets', k.places, 'void', k.void) as found
  from ticket_types t
 cross join lateral (
   select coalesce(sum(l.quantity), 0) as places from order_lines l
     join orders o on o.event_id = l.event_id and o.id = l.order_id
    where l.event_id = t.event_id and l.ticket_type_id = t.id and o.state = 'reserved') h
 cross join lateral (
   select count(*) filter (where state in ('valid', 'scanned', 'refunding')) as places,
          count(*) filter (where state = 'void') as void
     from tickets k where k.event_id = t.event_id and k.ticket_type_id = t.id) k
 where t.reserved > t.quantity or t.reserved not between h.places + k.places and h.places + k.places + k.void;

-- A shared capacity is taken by the tickets of its members, and the types that sell from one are marked.
select 'capacities-are-their-members' as invariant, concat_ws(' ', c.event_id, c.id) as subject,
       concat_ws(' ', 'reserved', c.reserved, 'of', c.capacity, 'members', m.units) as found
  from shared_capacities c
 cross join lateral (
   select coalesce(sum(t.reserved * m.units), 0) as units from shared_capacity_members m
     join ticket_types t on t.event_id = m.event_id and t.id = m.ticket_type_id
    where m.event_id = c.event_id and m.shared_capacity_id = c.id) m
 where c.reserved <> m.units or c.reserved > c.capacity;

select 'members-are-marked' as invariant, concat_ws(' ', t.event_id, t.id) as subject, t.shares_capacity::text as found
  from ticket_types t
 where t.shares_capacity <> exists (select from shared_capacity_members m where m.event_id = t.event_id and m.ticket_type_id = t.id);

-- What is private sells nothing.
select 'drafts-have-no-orders' as invariant, e.id as subject, count(*)::text as found
  from events e join orders o on o.event_id = e.id
 where not e.is_published
 group by e.id;

-- A promo code is used by reserved orders and by each ticket until its money is returned.
select 'promo-uses-are-tickets' as invariant, concat_ws(' ', c.event_id, c.id) as subject,
       concat_ws(' ', 'uses', c.uses, 'reserved', h.uses, 'tickets', k.uses, 'void', k.void) as found
  from promo_codes c
 cross join lateral (
   select coalesce(sum(l.quantity), 0) as uses from order_lines l
     join orders o on o.event_id = l.event_id and o.id = l.order_id
    where l.event_id = c.event_id and l.promo_code_id = c.id and o.state = 'reserved') h
 cross join lateral (
   select count(*) filter (where t.state in ('valid', 'scanned', 'refunding')) as uses, count(*) filter (where t.state = 'void') as void
     from order_lines l
     join tickets t on t.event_id = l.event_id and t.order_id = l.order_id and t.order_line_id = l.id
    where l.event_id = c.event_id and l.promo_code_id = c.id) k
 where c.uses > c.max_uses or c.uses not between h.uses + k.uses and h.uses + k.uses + k.void;

-- A discount is given by a code of the same event, or is the whole price of a comp.
select 'discounts-have-a-code' as invariant, l.id::text as subject,
       concat_ws(' ', l.source, 'list', l.list_price_cents, 'discount', l.discount_cents, 'price', l.unit_price_cents) as found
  from order_lines l
 where l.unit_price_cents <> l.list_price_cents - l.discount_cents
    or (l.promo_code_id is null and l.source <> 'comp' and l.discount_cents <> 0)
    or (l.promo_code_id is not null and not exists (select from promo_codes c where c.event_id = l.event_id and c.id = l.promo_code_id));

select 'orders-have-links-of-their-event' as invariant, o.id::text as subject, o.link_id::text as found
  from orders o
 where o.link_id is not null
   and not exists (select from tracking_links l where l.event_id = o.event_id and l.id = o.link_id);

-- Guests at no charge paid nothing, and only their orders have such lines.
select 'comps-are-given-by-members' as invariant, o.id::text as subject, concat_ws(' ', l.source, l.unit_price_cents, o.payment_id, o.comp_batch_id) as found
  from orders o
  join order_lines l on l.event_id = o.event_id and l.order_id = o.id
 where (l.source = 'comp') <> (o.comp_batch_id is not null)
    or l.source = 'comp' and (l.unit_price_cents <> 0 or o.total_cents <> 0 or o.payment_id is not null or o.session_id is not null);

-- Their tickets are issued soon after they are reserved, all of them. A cancelled event releases the rest.
select 'comps-are-issued' as invariant, b.id::text as subject, concat_ws(' ', b.tickets, 'asked for', k.issued, 'issued') as found
  from comp_batches b
  join events e on e.id = b.event_id and e.cancelled_at is null
 cross join lateral (
   select count(*) as issued from orders o
     join tickets t on t.event_id = o.event_id and t.order_id = o.id
    where o.event_id = b.event_id and o.comp_batch_id = b.id) k
 where b.completed_at is null and b.created_at < business_now() - interval '15 minutes'
    or b.completed_at is not null and k.issued <> b.tickets;

select 'free-orders-are-proved' as invariant, o.id::text as subject, concat_ws(' ', o.total_cents, o.payment_id, 'proved', p.proved_at) as found
  from orders o
  left join email_proofs p on p.event_id = o.event_id and p.order_id = o.id and p.proved_at is not null
 where o.session_id like 'free\_%' and (o.total_cents > 0 or o.payment_id is not null)
    or p.proved_at is not null and (o.state <> 'paid' or lower(o.buyer_email) <> lower(p.email));

-- A name belongs to the ticket at its place in the order, once that is issued.
select 'names-are-at-their-tickets' as invariant, concat_ws(' ', g.order_id, g.position) as subject, concat_ws(' ', g.ticket_id, 'instead of', n.ticket_id) as found
  from order_guests g
  join orders o on o.event_id = g.event_id and o.id = g.order_id
  left join lateral (
    select t.ticket_id from tickets_of_order(g.event_id, g.order_id) t where t.position = g.position) n on true
 where g.ticket_id is distinct from n.ticket_id;

select 'tickets-are-the-paid-lines' as invariant, concat_ws(' ', o.id, l.ticket_name) as subject,
       concat_ws(' ', o.state, l.quantity, 'ordered', k.issued, 'issued') as found
  from orders o
  join order_lines l on l.event_id = o.event_id and l.order_id = o.id
 cross join lateral (
   select count(*) as issued, count(*) filter (where price_cents <> l.unit_price_cents) as mispriced from tickets k
    where k.event_id = l.event_id and k.order_id = l.order_id and k.order_line_id = l.id) k
 where k.issued <> case when o.state = 'paid' then l.quantity else 0 end or k.mispriced > 0;

select 'orders-are-their-lines' as invariant, o.id::text as subject, concat_ws(' ', o.total_cents, 'lines', sum(l.unit_price_cents * l.quantity)) as found
  from orders o
  join order_lines l on l.event_id = o.event_id and l.order_id = o.id
 group by o.event_id, o.id
having o.total_cents <> sum(l.unit_price_cents * l.quantity);

select 'ticket-states-agree-with-refunds' as invariant, t.id::text as subject, concat_ws(' ', t.state, 'with', r.states) as found
  from tickets t
  join events e on e.id = t.event_id
 cross join lateral (
   select string_agg(state, ' ' order by created_at) as states,
          count(*) filter (where state not in ('refused', 'restored')) as living,
          count(*) filter (where state = 'refused') as refused
     from refunds r where r.event_id = t.event_id and r.ticket_id = t.id) r
 where (t.state in ('valid', 'scanned') and r.living > 0)
    or (t.state = 'refunded' and r.living <> 1)
    or (t.state = 'refunding' and r.living <> 1 and not (e.cancelled_at is not null and r.refused > 0))
    or r.living > 1;

select 'ticket-states-agree-with-stamps' as invariant, t.id::text as subject, concat_ws(' ', t.state, 'scanned at', t.scanned_at, 'by', t.scanned_by) as found
  from tickets t
 where (t.state = 'valid' and t.scanned_at is not null)
    or (t.state = 'scanned' and t.scanned_at is null)
    or (t.scan_id is not null and t.scanned_at is null)
    or ((t.scanned_at is null) <> (t.scanned_by is null));

-- A checked-in guest is refunded only if the event was cancelled, Stripe refunded the payment, or a dispute was lost.
select 'scanned-tickets-keep-their-money' as invariant, t.id::text as subject, t.state as found
  from tickets t
 where t.scanned_at is not null
   and t.state <> 'scanned'
   and not exists (select 1 from refunds r where r.event_id = t.event_id and r.ticket_id = t.id and r.reason = 'event-cancelled')
   and not exists (select 1 from refunds r where r.event_id = t.event_id and r.order_id = t.order_id and r.reason = 'external')
   and not exists (select 1 from disputes d where d.event_id = t.event_id and d.order_id = t.order_id and d.state = 'lost');

-- A guest checked in offline was admitted by that scan, or by an earlier one of the named device, unless an operator undid it.
select 'offline-scans-agree-with-tickets' as invariant, o.id::text as subject,
       concat_ws(' ', o.result, 'by', o.device_id, 'and the ticket is', t.state, 'since', t.scanned_at, 'by', t.scanned_by, t.scan_id) as found
  from offline_scans o
  join tickets t on t.event_id = o.event_id and t.id = o.ticket_id
 where not exists (select 1 from early_check_ins c where c.event_id = t.event_id and c.ticket_id = t.id and c.outcome = 'undone')
   and (o.result in ('first', 'again', 'double') and t.scanned_at is null
        or o.result = 'first' and t.scan_id is distinct from o.id
        or o.result = 'again' and t.scanned_by is distinct from o.device_id
        or o.result = 'double' and t.scanned_by is not distinct from o.device_id);

-- A check-in long before the start ends refunds, so its buyer is emailed. Recording one that a moved start made early takes a moment.
select 'early-check-ins-are-recorded' as invariant, t.id::text as subject, t.scanned_at::text as found
  from tickets t
  join events e on e.id = t.event_id
 where t.state = 'scanned'
   and is_early_check_in(t.scanned_at, e.latest_starts_at)
   and not exists (select 1 from early_check_ins c
                    where c.event_id = t.event_id and c.ticket_id = t.id and c.scanned_at = t.scanned_at)
   and not exists (select 1 from graphile_worker.jobs where task_identifier = 'record-early-check-ins');

select 'early-check-ins-are-emailed' as invariant, c.id::text as subject, c.recorded_at::text as found
  from early_check_ins c
 where not exists (select 1 from email_outbox m where m.kind = 'early-check-in' and m.subject_id = c.id::text)
   and exists (select 1 from tickets t where t.event_id = c.event_id and t.id = c.ticket_id and t.buyer_email is not null)
   and (select count(*) from early_check_ins other
         where other.event_id = c.event_id and other.ticket_id = c.ticket_id and other.recorded_at <= c.recorded_at) <= 5;

-- The payout waits until every objection is decided.
select 'objections-come-before-payouts' as invariant, c.id::text as subject, concat_ws(' ', 'objected', c.objected_at, 'paid out', p.requested_at) as found
  from early_check_ins c
  join payouts p on p.event_id = c.event_id and p.seq = 1
  join tickets t on t.event_id = c.event_id and t.id = c.ticket_id
 where c.objected_at > p.requested_at
    or t.state = 'scanned' and c.objected_at is not null and (c.ended_at is null or c.ended_at > p.requested_at);

-- Ticket totals on the profile, which are stored instead of counted.
select 'ticket-totals-equal-a-count' as invariant, concat_ws(' ', event_id, ticket_type_id, price_cents, is_disputed) as subject,
       concat_ws(' ', 'issued', k.issued, c.issued, 'sold', k.sold, c.sold, 'scanned', k.scanned, c.scanned,
                 'void', k.voided, c.voided) as found
  from ticket_totals_now k
  full join (
    select event_id, ticket_type_id, price_cents, disputed_at is not null as is_disputed, count(*) as issued,
           count(*) filter (where state in ('valid', 'scanned')) as sold,
           count(*) filter (where state = 'scanned') as scanned, count(*) filter (where state = 'void') as voided
      from tickets
     group by event_id, ticket_type_id, price_cents, disputed_at is not null) c
   using (event_id, ticket_type_id, price_cents, is_disputed)
 where (coalesce(k.issued, 0), coalesce(k.sold, 0), coalesce(k.scanned, 0), coalesce(k.voided, 0))
    <> (coalesce(c.issued, 0), coalesce(c.sold, 0), coalesce(c.scanned, 0), coalesce(c.voided, 0));

select 'ticket-hours-equal-a-count' as invariant, concat_ws(' ', event_id, ticket_type_id, hour) as subject,
       concat_ws(' ', k.sold, c.sold) as found
  from ticket_hours_now k
  full join (
    select event_id, ticket_type_id, hour_of(issued_at) as hour, count(*) as sold
      from tickets
     where counts_as_sold(state)
     group by event_id, ticket_type_id, hour_of(issued_at)) c
   using (event_id, ticket_type_id, hour)
 where coalesce(k.sold, 0) <> coalesce(c.sold, 0);

-- Refunds and payouts.

-- Less than the price only after an earlier partial refund.
select 'refunds-are-the-price-paid' as invariant, r.id::text as subject, concat_ws(' ', r.cents, 'of', t.price_cents) as found
  from refunds r
  join tickets t on t.event_id = r.event_id and t.id = r.ticket_id
 where r.order_id <> t.order_id
    or r.cents > t.price_cents
    or (r.cents < t.price_cents
        and not exists (select 1 from refunds x where x.event_id = r.event_id and x.order_id = r.order_id and x.reason = 'external')
        and not exists (select 1 from disputes d where d.event_id = r.event_id and d.order_id = r.order_id));

select 'orders-refund-no-more-than-was-paid' as invariant, o.id::text as subject,
       concat_ws(' ', sum(r.cents), 'of', coalesce(o.received_cents, o.total_cents)) as found
  from orders o
  join refunds r on r.event_id = o.event_id and r.order_id = o.id and r.state in ('claimed', 'sent')
 group by o.event_id, o.id
having sum(r.cents) > coalesce(o.received_cents, o.total_cents);

select 'one-payout-per-event-and-number' as invariant, concat_ws(' ', event_id, seq) as subject, count(*)::text as found
  from payouts
 group by event_id, seq
having count(*) > 1;

select 'cancelled-events-are-never-paid-out' as invariant, e.id as subject, count(*)::text as found
  from events e
  join payouts p on p.event_id = e.id
 where e.cancelled_at is not null
 group by e.id;

select 'payouts-close-their-event' as invariant, e.id as subject, concat_ws(' ', e.payout_requested_at, 'payout', p.requested_at) as found
  from events e
  left join payouts p on p.event_id = e.id and p.seq = 1
 where (e.payout_requested_at is null) <> (p.id is null);

select 'payouts-come-a-day-after-the-end' as invariant, p.id::text as subject, concat_ws(' ', p.requested_at, 'end', e.latest_ends_at) as found
  from payouts p
  join events e on e.id = p.event_id
 where p.requested_at < e.latest_ends_at + interval '24 hours';

select 'refunds-come-before-payouts' as invariant, r.id::text as subject, concat_ws(' ', r.created_at, 'payout', min(p.requested_at)) as found
  from refunds r
  join payouts p on p.event_id = r.event_id
 where r.ticket_id is not null and r.state not in ('refused', 'restored')
 group by r.event_id, r.id, r.created_at
having r.created_at >= min(p.requested_at);

-- Email.

select 'paid-orders-have-one-email' as invariant, o.id::text as subject, count(m.id)::text as found
  from orders o
  left join email_outbox m on m.kind = 'tickets' and m.subject_id = o.id::text and m.version = 1
 where o.state = 'paid'
 group by o.event_id, o.id
-- A guest whom an organizer added by name has no address.
having count(m.id) <> case when o.buyer_email is null then 0 else 1 end;

select 'only-paid-orders-have-an-email' as invariant, m.subject_id as subject, o.state as found
  from email_outbox m
  left join orders o on o.id::text = m.subject_id
 where m.kind = 'tickets' and o.state is distinct from 'paid';

-- An email names its buyer until it expires or the buyer's data is erased; from then on only the numbers of emails and
-- buyers are compared. A buyer with one purchase erased and another retained counts twice, with one email.
-- The payer of a transferred ticket has one, and its holder.
with buyers as (
  select t.event_id, lower(a.address) as buyer, bool_or(r.id is not null) as is_owed
    from tickets t
    join events e on e.id = t.event_id and e.cancelled_at is not null
    join orders o on o.event_id = t.event_id and o.id = t.order_id
   cross join lateral (select t.buyer_email as address union select o.buyer_email where t.transferred_count > 0) a
    left join refunds r on r.event_id = t.event_id and r.ticket_id = t.id and r.reason = 'event-cancelled'
   where a.address is not null
   group by t.event_id, lower(a.address)
), emails as (
  select split_part(subject_id, ' ', 1) as event_id,
         case when position('@' in subject_id) > 0 then split_part(subject_id, ' ', 2) end as buyer, count(*) as emails
    from email_outbox
   where kind = 'event-cancelled'
   group by 1, 2
), halves as (
  select b.event_id, b.buyer, true as is_half
    from buyers b
    join erasures x on b.buyer = 'erased ' || x.address_hash
    join tickets k on k.event_id = b.event_id and k.buyer_email like '%@%'
   where exists (select 1 from refunds r where r.event_id = k.event_id and r.order_id = k.order_id
                    and (r.settled_at is null or r.settled_at > x.erased_at))
      or exists (select 1 from disputes d where d.event_id = k.event_id and d.order_id = k.order_id
                    and (d.closed_at is null or d.closed_at > x.erased_at))
   group by b.event_id, b.buyer
), counted as (
  select event_id,
         count(*) filter (where is_owed and emails is null) as owed,
         count(*) filter (where is_owed and emails is null and buyer not like '%@%') as erased,
         count(*) filter (where is_owed and emails is null and is_half) as halves,
         coalesce(sum(emails) filter (where buyer is null), 0) as nameless,
         coalesce(sum(emails) filter (where buyer is not null and is_owed is not true), 0) as astray,
         count(*) filter (where buyer is not null and emails > 1) as doubled
    from buyers
    full join emails using (event_id, buyer)
    left join halves using (event_id, buyer)
   group by event_id
)
select 'buyers-of-a-cancelled-event-have-one-email' as invariant, event_id as subject,
       concat_ws(' ', owed, 'buyers without their own email', nameless, 'emails without a name', astray, 'astray', doubled, 'doubled') as found
  from counted
 where doubled > 0 or astray > erased or owed - nameless - astray not between 0 and halves;

-- Transferred tickets.

select 'each-transfer-kept-the-number' as invariant, t.id::text as subject, concat_ws(' ', t.transferred_count, 'transfers', count(f.number), 'numbers') as found
  from tickets t
  left join former_numbers f on f.event_id = t.event_id and f.ticket_id = t.id
 where t.transferred_count > 0
 group by t.event_id, t.id
having count(f.number) <> t.transferred_count;

select 'former-numbers-are-of-no-ticket' as invariant, f.number as subject, t.id::text as found
  from former_numbers f
  join tickets t on t.event_id = f.event_id and t.confirmation_number = f.number;

-- Unfinished work.

select 'holds-end' as invariant, id::text as subject, reservation_expires_at::text as found
  from orders
 where state = 'reserved' and reservation_expires_at < business_now() - interval '15 minutes';

select 'webhook-events-are-processed' as invariant, id as subject, concat_ws(' ', type, received_at) as found
  from webhook_events
 where processed_at is null and received_at < business_now() - interval '15 minutes';

select 'email-is-sent' as invariant, id::text as subject, concat_ws(' ', kind, created_at) as found
  from email_outbox
 where state = 'queued' and created_at < business_now() - interval '15 minutes';

select 'refunds-are-sent' as invariant, id::text as subject, concat_ws(' ', reason, send_after) as found
  from refunds
 where state = 'claimed' and send_after < business_now() - interval '15 minutes';

select 'reversals-are-settled' as invariant, id::text as subject, created_at::text as found
  from transfer_reversals
 where state = 'claimed' and created_at < business_now() - interval '15 minutes';

select 'what-was-held-back-is-paid-when-due' as invariant, id::text as subject, due_at::text as found
  from payout_reserves
 where paid_by is null and taken_cents < cents and due_at < business_now() - interval '15 minutes';

select 'cancelled-events-refund-everyone' as invariant, t.id::text as subject, concat_ws(' ', t.state, e.cancelled_at) as found
  from events e
  join tickets t on t.event_id = e.id and t.state in ('valid', 'scanned')
 where e.cancelled_at < business_now() - interval '15 minutes'
   and not exists (select 1 from disputes d where d.event_id = t.event_id and d.order_id = t.order_id);

-- Money that a dispute put on hold or clawed back is paid out once it belongs to the organizer again.
select 'ended-disputes-are-returned' as invariant, d.id::text as subject, concat_ws(' ', d.state, d.cents, ended.at) as found
  from disputes d
  join (select event_id, order_id, max(closed_at) as at from disputes
         group by event_id, order_id having bool_and(state <> 'open')) as ended using (event_id, order_id)
  left join transfer_reversals r on r.event_id = d.event_id and r.dispute_id = d.id
 where d.returned_by is null
   and greatest(ended.at, r.settled_at) < business_now() - interval '15 minutes'
   and (d.state = 'won' and r.state in ('reversed', 'receivable', 'from-reserve') and r.used_cents < r.gross_cents
        or d.excluded_from is not null and d.state in ('won', 'lost')
           and exists (select 1 from tickets t
                        where t.event_id = d.event_id and t.order_id = d.order_id
                          and t.state in ('valid', 'scanned') and t.price_cents > 0));
