-- What keeps the money of an event until an operator lifts it: a hold of its payouts, or the suspension of its organization. At most one row.
create or replace function payout_hold(of_event text) returns table (since timestamptz, reason text)
  language sql stable
  as $$ select h.held_at, h.reason from payout_holds h where h.event_id = of_event
        union all
        select o.suspended_at, o.suspend_reason
          from events e join organizations o on o.id = e.organization_id
         where e.id = of_event and o.suspended_at is not null
         limit 1 $$;
