-- Which app secret the room opened under: the draw stays the same while the secret is rotated. Null until the room is first read.
alter table waiting_rooms add column draw_secret_id bytea;
