-- What the page of an event showed, each state once. An edit that is undone refers to the same content.
create table event_page_contents (
  event_id text not null references events on delete cascade,
  -- SHA-256 of the content's text, as it was stored.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  content jsonb not null,
  primary key (event_id, hash)
);

create table event_page_versions (
  event_id text not null references events on delete cascade,
  version integer not null check (version > 0),
  hash text not null,
  changed_at timestamptz not null,
  -- Buyers find it under *Changes*: another date, venue or refund policy, or another price of a type with sales.
  is_listed boolean not null,
  -- The types whose price it changed while they had sales.
  repriced_types uuid[] not null default '{}',
  primary key (event_id, version),
  foreign key (event_id, hash) references event_page_contents on delete cascade
);
create index event_page_versions_listed on event_page_versions (event_id) where is_listed;

-- The present version; 0 of an event that was never published.
alter table events add column page_version integer not null default 0;

-- Published events begin with what they show now. The same content as page_content() in versions.functions.sql.
create temporary table first_contents on commit drop as
  select e.id as event_id, jsonb_build_object(
           'title', e.title, 'subtitle', e.subtitle, 'description', e.description,
           'startsAt', to_char(e.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'endsAt', to_char(e.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'timezone', e.timezone,
           'venueName', e.venue_name, 'street', e.street, 'city', e.city, 'state', e.state, 'postalCode', e.postal_code,
           'refundPolicy', '24-hours-after-end',
           'tickets', coalesce((select jsonb_agg(jsonb_build_object(
                                         'id', t.id, 'name', t.name, 'description', t.description, 'priceCents', t.price_cents,
                                         'hasNamedPrice', t.has_named_price, 'isAddOn', t.is_add_on) order by t.position, t.id)
                                  from ticket_types t where t.event_id = e.id and t.removed_at is null and not t.is_hidden), '[]')) as content
    from events e where e.is_published;
insert into event_page_contents (event_id, hash, content)
  select event_id, encode(sha256(convert_to(content::text, 'UTF8')), 'hex'), content from first_contents;
insert into event_page_versions (event_id, version, hash, changed_at, is_listed)
  select c.event_id, 1, c.hash, e.published_at, false from event_page_contents c join events e on e.id = c.event_id;
update events set page_version = 1 where is_published;

-- No longer written: versions have the texts that later orders were made on.
comment on table event_texts is 'Texts that were replaced before there were versions of pages';
