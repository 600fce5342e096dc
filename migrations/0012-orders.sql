-- A keyed hash of the event and of the network that reserved an unpaid order; null on this machine, and once the reservation ends.
alter table orders
  add column network_hash bigint,
  add constraint networks_are_of_reservations check (state = 'reserved' or network_hash is null);
create index orders_network on orders using hash (network_hash) where state = 'reserved' and network_hash is not null;
