create or replace function business_now() returns timestamptz
  language sql stable
  as $$ select now() + make_interval(secs => offset_seconds) from business_clock $$;

-- A version 7 UUID. It starts with the time in milliseconds, which keeps index inserts local.
create or replace function new_row_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

create or replace function announce_clock() returns trigger language plpgsql as $$
begin
  perform pg_notify('clock_moved', '');
  return null;
end $$;

create or replace trigger clock_announced after update on business_clock
  for each row execute function announce_clock();

create or replace function audit_events_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is never changed or removed';
end $$;

create or replace trigger audit_events_append_only
  before update or delete or truncate on audit_events
  for each statement execute function audit_events_are_append_only();
