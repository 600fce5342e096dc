-- Up to which position the room has checked whose page was open. Rooms that have opened start behind everyone they have called.
alter table waiting_rooms add column called_through bigint not null default 0;
alter table waiting_rooms
  alter column called_through type bigint using case when draw_size is not null then last_pass else 0 end;

-- Which passes' pages polled in a minute: 64 arrivals a block. Without a foreign key, whose check would wait for a locked room.
create table waiting_room_presence (
  event_id text not null,
  -- Since 1970.
  minute integer not null,
  block bigint not null,
  seen bit(64) not null,
  primary key (event_id, minute, block)
) with (fillfactor = 50);

-- Positions that came up while their page was closed.
create table waiting_room_skips (
  event_id text not null references waiting_rooms,
  position bigint not null,
  -- When the pass comes up again, once its page is back.
  called_at timestamptz,
  primary key (event_id, position)
);
alter table waiting_room_presence alter column event_id set statistics 0;
alter table waiting_room_skips alter column event_id set statistics 0;
