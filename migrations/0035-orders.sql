-- The checkout queue serves events in rotation: the one that was served last, and each event's orders in the order they joined.
alter table checkout_rate add column last_event text;
drop index checkout_queue_position;
create index checkout_queue_rotation on checkout_queue (event_id, position);
