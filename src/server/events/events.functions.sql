-- The same as shownAvailability in src/domain/availability.ts; a test compares them.
create or replace function shown_availability(tickets_left integer) returns integer
  language sql immutable
  as $$ select case when tickets_left < 20 then greatest(tickets_left, 0)
                    else trunc(tickets_left::numeric, 1 - length(tickets_left::text))::integer end $$;

-- Rules that SQL decides by, each the same as its namesake in src/domain/; tests/house/sql-rules.test.ts compares them.
create or replace function is_selling(cancelled_at timestamptz, ends_at timestamptz, now timestamptz) returns boolean
  language sql immutable
  as $$ select cancelled_at is null and now < ends_at $$;

-- Which events the page of their organization, its calendar and the sitemap have.
create or replace function is_listed_now(e events) returns boolean
  language sql stable
  as $$ select e.is_published and e.is_listed and is_selling(e.cancelled_at, e.ends_at, business_now()) $$;

-- Which dates the page of their series, its calendar and the pages of its other dates have. The link to a series with a listed date is
-- public, so unlisted dates are shown only where all dates are unlisted. Cancelled ones stay until they would have ended.
create or replace function is_coming_date(e events) returns boolean
  language sql stable
  as $$ select e.is_published and business_now() < e.ends_at and (e.is_listed or not exists (
          select from events listed where listed.series_id = e.series_id and listed.is_published and listed.is_listed)) $$;

create or replace function is_paused(paused_sales text, price_cents integer) returns boolean
  language sql immutable
  as $$ select coalesce(paused_sales = 'all' or paused_sales = 'paid' and price_cents > 0, false) $$;

create or replace function is_on_sale(sales_from timestamptz, sales_until timestamptz, now timestamptz) returns boolean
  language sql immutable
  as $$ select coalesce(now >= sales_from, true) and coalesce(now < sales_until, true) $$;

-- Tickets of a type that can be bought: by its own quantity, and by the capacities that it shares.
create or replace function available_of(of_event text, of_type uuid, own integer, shares_capacity boolean) returns integer
  language sql stable
  as $$ select case when shares_capacity then least(own, (
                  select min(c.free / m.units) from shared_capacity_members m
                    join shared_capacities c on c.event_id = m.event_id and c.id = m.shared_capacity_id
                   where m.event_id = of_event and m.ticket_type_id = of_type))
               else own end $$;

-- What limits an order of a ticket type, and what these limits leave. Whole rows, so that a new limit changes nothing else.
create or replace function has_order_limits(t ticket_types) returns boolean
  language sql immutable
  as $$ select t.min_per_order > 1 or t.max_per_order is not null $$;

create or replace function may_be_ordered(quantity integer, t ticket_types) returns boolean
  language sql immutable
  as $$ select quantity >= t.min_per_order and quantity <= coalesce(t.max_per_order, quantity) $$;

-- An order has 100 tickets at most.
create or replace function is_sold_out(tickets_left integer, t ticket_types) returns boolean
  language sql immutable
  as $$ select case when has_order_limits(t)
                then not exists (select from generate_series(1, least(tickets_left, 100)) as quantity where may_be_ordered(quantity, t))
                else tickets_left < 1 end $$;

-- Of the previous release.
create or replace function may_be_ordered(quantity integer, min_per_order integer, max_per_order integer) returns boolean
  language sql immutable
  as $$ select quantity >= min_per_order and quantity <= coalesce(max_per_order, quantity) $$;

create or replace function settles_at(ends_at timestamptz) returns timestamptz
  language sql immutable
  as $$ select ends_at + interval '24 hours' $$;

-- When check-in opens and closes; null without hours. Stable, as their arithmetic is, so that PostgreSQL inlines them into a check-in.
create or replace function check_in_opens(starts_at timestamptz, opens_at timestamptz, closes_at timestamptz) returns timestamptz
  language sql stable
  as $$ select case when opens_at is not null or closes_at is not null then coalesce(opens_at, starts_at - interval '12 hours') end $$;

create or replace function check_in_closes(ends_at timestamptz, opens_at timestamptz, closes_at timestamptz) returns timestamptz
  language sql stable
  as $$ select case when opens_at is not null or closes_at is not null then coalesce(closes_at, ends_at + interval '12 hours') end $$;

create or replace function is_within_hours(opens_at timestamptz, closes_at timestamptz, at timestamptz) returns boolean
  language sql immutable
  as $$ select coalesce(at >= opens_at and at < closes_at, true) $$;

create or replace function counts_as_sold(state text) returns boolean
  language sql immutable
  as $$ select state in ('valid', 'scanned') $$;

-- PostgreSQL sends equal notifications of one transaction once, so rows need not be gathered here.
create or replace function announce_event() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('event_changed', coalesce(new.id, old.id)); end if;
  perform pg_notify('organization_changed', coalesce(new.organization_id, old.organization_id)::text);
  -- All that the pages of a series' other dates show of this one. A sale changes none of it.
  if (old.series_id, old.is_published, old.is_listed, old.cancelled_at, old.starts_at, old.ends_at, old.timezone, old.subtitle)
     is distinct from
     (new.series_id, new.is_published, new.is_listed, new.cancelled_at, new.starts_at, new.ends_at, new.timezone, new.subtitle) then
    perform pg_notify('series_changed', id) from (values (old.series_id), (new.series_id)) as of_series (id) where id is not null;
  end if;
  return null;
end $$;

create or replace trigger events_announced after insert or update or delete on events
  for each row execute function announce_event();

create or replace function announce_event_of_part() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_changed', coalesce(new.event_id, old.event_id));
  return null;
end $$;

create or replace trigger photos_announced after insert or update or delete on event_photos
  for each row execute function announce_event_of_part();

create or replace trigger ticket_types_announced after insert or delete on ticket_types
  for each row execute function announce_event_of_part();

create or replace function announce_events_of_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_changed', id) from events where organization_id = new.id;
  return null;
end $$;

create or replace trigger organizations_announced after update on organizations
  for each row when ((old.name, old.bio, old.accent, has_page(old), old.slug) is distinct from
                     (new.name, new.bio, new.accent, has_page(new), new.slug))
  execute function announce_events_of_organization();

create or replace function announce_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('organization_changed', new.id::text);
  return null;
end $$;

create or replace trigger organization_page_announced after update on organizations
  for each row when ((old.name, old.bio, old.accent, has_page(old), old.slug, old.website, old.logo_file) is distinct from
                     (new.name, new.bio, new.accent, has_page(new), new.slug, new.website, new.logo_file))
  execute function announce_organization();

-- Edits are announced, and sales that change what buyers are shown. Inside a function, whose expressions stay planned: a WHEN clause is
-- planned at each statement, and costs a sale eight times as much.
create or replace function announce_ticket_type() returns trigger language plpgsql as $$
begin
  if new.reserved is not distinct from old.reserved or shown_availability(old.available) <> shown_availability(new.available) then
    perform pg_notify('event_changed', new.event_id);
  end if;
  return null;
end $$;

create or replace trigger ticket_types_changes_announced after update on ticket_types
  for each row execute function announce_ticket_type();

-- The same for the ticket types that sell from a capacity. What a type's own stock changes, its own trigger announces.
create or replace function announce_capacity() returns trigger language plpgsql as $$
begin
  if new.reserved is not distinct from old.reserved or exists (
    select from shared_capacity_members m
     where m.event_id = new.event_id and m.shared_capacity_id = new.id
       and shown_availability(old.free / m.units) <> shown_availability(new.free / m.units)) then
    perform pg_notify('event_changed', new.event_id);
  end if;
  return null;
end $$;

create or replace trigger shared_capacities_announced after update on shared_capacities
  for each row execute function announce_capacity();

create or replace trigger shared_capacity_members_announced after insert or update or delete on shared_capacity_members
  for each row execute function announce_event_of_part();

create or replace function hour_of(moment timestamptz) returns timestamptz language sql immutable as $$
  select date_bin('1 hour', moment, timestamptz '2000-01-01 00:00:00+00')
$$;

-- By statement, not by ticket: a batch that admits or issues hundreds writes one row for each event and price in it. Changes of what is
-- sold are kept apart by the hour of issue as well.
create or replace function tickets_are_counted() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued_hour, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed_at is not null, hour_of(issued_at), count(*),
           count(*) filter (where counts_as_sold(state)),
           count(*) filter (where state = 'scanned'), count(*) filter (where state = 'void')
      from now_there
     group by event_id, ticket_type_id, price_cents, disputed_at is not null, hour_of(issued_at);
  elsif tg_op = 'DELETE' then
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued_hour, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed_at is not null, hour_of(issued_at), -count(*),
           -count(*) filter (where counts_as_sold(state)),
           -count(*) filter (where state = 'scanned'), -count(*) filter (where state = 'void')
      from was_there
     group by event_id, ticket_type_id, price_cents, disputed_at is not null, hour_of(issued_at);
  elsif exists (select from now_there where not counts_as_sold(state)) or exists (select from was_there where not counts_as_sold(state)) then
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued_hour, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed, hour, sum(n),
           coalesce(sum(n) filter (where counts_as_sold(state)), 0),
           coalesce(sum(n) filter (where state = 'scanned'), 0), coalesce(sum(n) filter (where state = 'void'), 0)
      from (select event_id, ticket_type_id, price_cents, disputed_at is not null as disputed, hour_of(issued_at) as hour, state, 1 as n
              from now_there
            union all
            select event_id, ticket_type_id, price_cents, disputed_at is not null, hour_of(issued_at), state, -1 from was_there) change
     group by event_id, ticket_type_id, price_cents, disputed, hour
    having sum(n) <> 0
        or sum(n) filter (where counts_as_sold(state)) <> 0
        or sum(n) filter (where state = 'scanned') <> 0
        or sum(n) filter (where state = 'void') <> 0;
  else
    insert into ticket_total_changes (event_id, ticket_type_id, price_cents, is_disputed, issued, sold, scanned, voided)
    select event_id, ticket_type_id, price_cents, disputed, sum(n), sum(n),
           coalesce(sum(n) filter (where state = 'scanned'), 0), 0
      from (select event_id, ticket_type_id, price_cents, disputed_at is not null as disputed, state, 1 as n from now_there
            union all
            select event_id, ticket_type_id, price_cents, disputed_at is not null, state, -1 from was_there) change
     group by event_id, ticket_type_id, price_cents, disputed
    having sum(n) <> 0 or sum(n) filter (where state = 'scanned') <> 0;
  end if;
  return null;
end $$;

create or replace trigger tickets_counted_when_issued after insert on tickets
  referencing new table as now_there
  for each statement execute function tickets_are_counted();

create or replace trigger tickets_counted_when_changed after update on tickets
  referencing new table as now_there old table as was_there
  for each statement execute function tickets_are_counted();

create or replace trigger tickets_counted_when_removed after delete on tickets
  referencing old table as was_there
  for each statement execute function tickets_are_counted();
