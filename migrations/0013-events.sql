-- How many waiting-room passes a network asked for before sales start. A keyed hash of the event and the network.
create table waiting_room_networks (
  event_id text not null references waiting_rooms,
  network_hash bigint not null,
  -- Denied ones included.
  passes integer not null check (passes > 0),
  primary key (event_id, network_hash)
);
