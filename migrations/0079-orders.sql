-- The version of the event's page that it was made on; null of orders from before there were versions. No foreign key: it would cost each
-- reservation, and versions of published events stay.
alter table orders add column page_version integer check (page_version > 0);
