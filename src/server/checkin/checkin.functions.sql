-- Invalidates the cached grant rules when a device is removed or comes back.
create or replace trigger check_in_devices_announced after update of removed_at on check_in_devices
  for each row execute function announce_event_of_part();

-- The words of a name, each after a space, without accents, apostrophes and case: `O'Brien-José` is ` obrien jose `.
create or replace function name_words(name text) returns text language sql immutable parallel safe as $$
  select ' ' || regexp_replace(regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')
$$;

-- The attendant code of an event that is taken down ends, and with it the devices that entered it.
create or replace function devices_end_with_their_event() returns trigger language plpgsql as $$
begin
  update check_in_devices set ends_at = business_now() where event_id = new.id and ends_at > business_now();
  return null;
end $$;

create or replace trigger devices_end_with_their_event after update of published_at on events
  for each row when (new.published_at is null)
  execute function devices_end_with_their_event();
