-- Locks orders: an instant, to add a column.
-- The tracking link that brought the buyer. No foreign key: reserving would check it, links are never deleted while an event has orders,
-- and an invariant compares them.
alter table orders add column link_id uuid;
