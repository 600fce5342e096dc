-- By default, an address gets free tickets of an event in one order.
alter table events add column allows_repeated_free_orders boolean not null default false;
