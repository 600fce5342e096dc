-- What to keep in view where a photo is cropped, in percent from the left and the top, and what it shows.
alter table event_photos
  add column focus_x smallint check (focus_x between 0 and 100),
  add column focus_y smallint check (focus_y between 0 and 100),
  add column alt_text text not null default '',
  add column is_cover boolean not null default false,
  add constraint event_photos_focus check ((focus_x is null) = (focus_y is null));

-- Without a chosen one, the first photo is the cover.
create unique index event_photos_cover on event_photos (event_id) where is_cover;
