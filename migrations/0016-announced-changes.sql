-- Whoever keeps an event's page in memory hears of each change after its commit. Only what the page shows is announced: a notification
-- takes a lock that every other announcing commit waits for, and nearly all reservations leave "800 left" at "800 left".

-- The same as shownAvailability in src/domain/availability.ts; a test compares them.
create function shown_availability(tickets_left integer) returns integer
  language sql immutable
  as $$ select case when tickets_left <= 10 then greatest(tickets_left, 0)
                    else trunc(tickets_left::numeric, 1 - length(tickets_left::text))::integer end $$;

-- PostgreSQL sends equal notifications of one transaction once, so rows need not be gathered here.
create function announce_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_changed', coalesce(new.id, old.id));
  return null;
end $$;

create function announce_event_of_part() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_changed', coalesce(new.event_id, old.event_id));
  return null;
end $$;

create function announce_events_of_organizer() returns trigger language plpgsql as $$
begin
  perform pg_notify('event_changed', id) from events where organizer_id = new.id;
  return null;
end $$;

create function announce_clock() returns trigger language plpgsql as $$
begin
  perform pg_notify('clock_moved', '');
  return null;
end $$;

create trigger events_announced after update or delete on events
  for each row execute function announce_event();

create trigger photos_announced after insert or update or delete on event_photos
  for each row execute function announce_event_of_part();

create trigger ticket_types_announced after insert or delete on ticket_types
  for each row execute function announce_event_of_part();

-- A new column that buyers are shown belongs into this list.
create trigger ticket_types_edit_announced
  after update of position, name, description, price_cents, quantity, removed_at on ticket_types
  for each row execute function announce_event_of_part();

-- Inside a function, whose expressions stay planned: a WHEN clause is planned at each statement, and costs a sale eight times as much.
create function announce_availability() returns trigger language plpgsql as $$
begin
  if shown_availability(old.quantity - old.reserved) <> shown_availability(new.quantity - new.reserved) then
    perform pg_notify('event_changed', new.event_id);
  end if;
  return null;
end $$;

create trigger ticket_types_availability_announced after update of reserved on ticket_types
  for each row execute function announce_availability();

create trigger organizers_announced after update on users
  for each row
  when ((old.organization_name, old.organization_bio) is distinct from (new.organization_name, new.organization_bio))
  execute function announce_events_of_organizer();

create trigger clock_announced after update on business_clock
  for each row execute function announce_clock();
