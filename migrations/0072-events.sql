-- Tickets sold by the hour in which they were issued, for charts by day: US time zones begin their days on the hour. Rolled up with the
-- totals, from the same rows.
create table ticket_hours (
  event_id text not null references events,
  ticket_type_id uuid not null,
  hour timestamptz not null,
  sold integer not null,
  primary key (event_id, ticket_type_id, hour)
) with (fillfactor = 50);

-- Null if the change sells and unsells nothing, such as a check-in.
alter table ticket_total_changes add column issued_hour timestamptz;

insert into ticket_hours (event_id, ticket_type_id, hour, sold)
select event_id, ticket_type_id, date_bin('1 hour', issued_at, timestamptz '2000-01-01 00:00:00+00'), count(*)
  from tickets
 where state not in ('refunding', 'refunded', 'void')
 group by 1, 2, 3;

create view ticket_hours_now as
  select event_id, ticket_type_id, hour, sum(sold)::integer as sold
    from (select event_id, ticket_type_id, hour, sold from ticket_hours
          union all
          select event_id, ticket_type_id, issued_hour, sold from ticket_total_changes where issued_hour is not null) both_of_them
   group by event_id, ticket_type_id, hour;

-- How often an event's page was opened on a day in its time zone. No row is about a person.
create table event_views (
  event_id text not null references events,
  day date not null,
  views integer not null check (views > 0),
  primary key (event_id, day)
) with (fillfactor = 50);
