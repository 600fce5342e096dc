-- Whoever keeps in memory which grants are good hears of each device that is removed, or is back.
create trigger door_devices_announced after update of removed_at on door_devices
  for each row execute function announce_event_of_part();
