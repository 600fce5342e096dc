-- Locks orders: an instant, to add a column.
-- When reconciliation rebuilt an order that a restore or a fail-over had lost; null of all others.
alter table orders add column rebuilt_at timestamptz;
