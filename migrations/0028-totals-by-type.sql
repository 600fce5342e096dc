-- The totals of an event are kept for each ticket type as well: the profile shows how many of each are sold.
-- Holds off every change of tickets until this is committed, so that none is missed or counted twice.
lock table tickets in share row exclusive mode;

drop view ticket_totals_now;
delete from ticket_totals;
delete from ticket_total_changes;
alter table ticket_totals
  add column ticket_type_id uuid not null,
  drop constraint ticket_totals_pkey,
  add primary key (event_id, ticket_type_id, price_cents, is_disputed);
alter table ticket_total_changes add column ticket_type_id uuid not null;

create view ticket_totals_now as
  select event_id, ticket_type_id, price_cents, is_disputed,
         sum(issued)::integer as issued, sum(sold)::integer as sold,
         sum(scanned)::integer as scanned, sum(voided)::integer as voided,
         -- How many rows wait to be folded.
         sum(is_change)::integer as changes
    from (select event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided, 0 as is_change
            from ticket_totals
          union all
          select event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided, 1
            from ticket_total_changes) both_of_them
   group by event_id, ticket_type_id, price_cents, is_disputed;

create or replace function tickets_are_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed_at is not null, count(*),
           count(*) filter (where state in ('valid', 'scanned')),
           count(*) filter (where state = 'scanned'), count(*) filter (where state = 'void')
      from now_there
     group by event_id, ticket_type_id, price_cents, disputed_at is not null;
  elsif tg_op = 'DELETE' then
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed_at is not null, -count(*),
           -count(*) filter (where state in ('valid', 'scanned')),
           -count(*) filter (where state = 'scanned'), -count(*) filter (where state = 'void')
      from was_there
     group by event_id, ticket_type_id, price_cents, disputed_at is not null;
  else
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed, sum(n),
           coalesce(sum(n) filter (where state in ('valid', 'scanned')), 0),
           coalesce(sum(n) filter (where state = 'scanned'), 0), coalesce(sum(n) filter (where state = 'void'), 0)
      from (select event_id, ticket_type_id, price_cents, disputed_at is not null as disputed, state, 1 as n from now_there
            union all
            select event_id, ticket_type_id, price_cents, disputed_at is not null, state, -1 from was_there) change
     group by event_id, ticket_type_id, price_cents, disputed
    having sum(n) <> 0
        or sum(n) filter (where state in ('valid', 'scanned')) <> 0
        or sum(n) filter (where state = 'scanned') <> 0
        or sum(n) filter (where state = 'void') <> 0;
  end if;
  return null;
end $$;

insert into ticket_totals (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
select event_id, ticket_type_id, price_cents, disputed_at is not null, count(*),
       count(*) filter (where state in ('valid', 'scanned')),
       count(*) filter (where state = 'scanned'), count(*) filter (where state = 'void')
  from tickets
 group by event_id, ticket_type_id, price_cents, disputed_at is not null;
