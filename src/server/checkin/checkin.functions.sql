-- Invalidates the cached grant rules when a device is removed or comes back.
create or replace trigger check_in_devices_announced after update of removed_at on check_in_devices
  for each row execute function announce_event_of_part();

-- The words of a name, each after a space, without accents, apostrophes and case: `O'Brien-José` is ` obrien jose `.
create or replace function name_words(name text) returns text language sql immutable parallel safe as $$
  select ' ' || regexp_replace(regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f''’‘`]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')
$$;
