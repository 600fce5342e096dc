-- Locks events: an instant, to refer to them.
-- Addresses of an event's page that say where a buyer comes from: `?from=poster`. Orders refer to them, so a removed one stays.
create table tracking_links (
  event_id text not null references events on delete cascade,
  id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 40),
  name text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (event_id, id)
);
create unique index tracking_links_slug on tracking_links (event_id, slug) where removed_at is null;

-- How often an event's page was opened through a link, on a day in its time zone. No row is about a person.
create table link_views (
  event_id text not null,
  link_id uuid not null,
  day date not null,
  views integer not null check (views > 0),
  primary key (event_id, link_id, day),
  foreign key (event_id, link_id) references tracking_links on delete cascade
) with (fillfactor = 50);
