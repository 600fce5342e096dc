-- Invalidates the cached grant rules when a device is removed or comes back.
create or replace trigger check_in_devices_announced after update of removed_at on check_in_devices
  for each row execute function announce_event_of_part();
