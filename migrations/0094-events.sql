-- Locks events: an instant, to add a column.
-- Websites that may show the event's tickets in a frame, as origins.
alter table events add column embed_origins text[] not null default '{}';
