-- Null: a draft, which only members of its organization see.
alter table events add column published_at timestamptz;
update events set published_at = created_at;

alter table events
  add column is_published boolean not null generated always as (published_at is not null) stored,
  add constraint events_id_is_published unique (id, is_published),
  -- Chosen by the caller of a duplication, so that a repeated request makes no second copy.
  add column duplicate_id uuid;
create unique index events_duplicate on events (organization_id, duplicate_id) where duplicate_id is not null;
create index events_drafts on events (organization_id) where not is_published;

-- A draft has no orders. Each order takes stock, so the rows that it takes it from refuse: a check of a row that is written anyway, where a
-- trigger of orders or a foreign key would cost each reservation.
alter table ticket_types
  add column is_published boolean not null default true,
  add constraint drafts_sell_nothing check (is_published or reserved = 0),
  drop constraint ticket_types_event_id_fkey,
  add constraint ticket_types_event_id_fkey foreign key (event_id, is_published) references events (id, is_published)
    on update cascade on delete cascade;

-- Deleting a draft deletes what belongs to it. Whatever else refers to an event keeps it.
alter table ticket_totals
  drop constraint ticket_totals_event_id_fkey,
  add constraint ticket_totals_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table event_photos
  drop constraint event_photos_event_id_fkey,
  add constraint event_photos_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table event_changes
  drop constraint event_changes_event_id_fkey,
  add constraint event_changes_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table event_texts
  drop constraint event_texts_event_id_fkey,
  add constraint event_texts_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table waiting_rooms
  drop constraint waiting_rooms_event_id_fkey,
  add constraint waiting_rooms_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table waiting_room_networks
  drop constraint waiting_room_networks_event_id_fkey,
  add constraint waiting_room_networks_event_id_fkey foreign key (event_id) references waiting_rooms on delete cascade;
alter table waiting_room_skips
  drop constraint waiting_room_skips_event_id_fkey,
  add constraint waiting_room_skips_event_id_fkey foreign key (event_id) references waiting_rooms on delete cascade;
alter table guest_forms
  drop constraint guest_forms_event_id_fkey,
  add constraint guest_forms_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table shared_capacities
  drop constraint shared_capacities_event_id_fkey,
  add constraint shared_capacities_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table shared_capacity_members
  drop constraint shared_capacity_members_event_id_ticket_type_id_fkey,
  drop constraint shared_capacity_members_event_id_shared_capacity_id_fkey,
  add constraint shared_capacity_members_event_id_ticket_type_id_fkey
    foreign key (event_id, ticket_type_id) references ticket_types on delete cascade,
  add constraint shared_capacity_members_event_id_shared_capacity_id_fkey
    foreign key (event_id, shared_capacity_id) references shared_capacities on delete cascade;
alter table promo_codes
  drop constraint promo_codes_event_id_fkey,
  add constraint promo_codes_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table promo_code_types
  drop constraint promo_code_types_event_id_promo_code_id_fkey,
  drop constraint promo_code_types_event_id_ticket_type_id_fkey,
  add constraint promo_code_types_event_id_promo_code_id_fkey
    foreign key (event_id, promo_code_id) references promo_codes on delete cascade,
  add constraint promo_code_types_event_id_ticket_type_id_fkey
    foreign key (event_id, ticket_type_id) references ticket_types on delete cascade;
alter table comp_batches
  drop constraint comp_batches_event_id_fkey,
  add constraint comp_batches_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table check_in_devices
  drop constraint check_in_devices_event_id_fkey,
  add constraint check_in_devices_event_id_fkey foreign key (event_id) references events on delete cascade;
alter table offline_scans
  drop constraint offline_scans_event_id_fkey,
  add constraint offline_scans_event_id_fkey foreign key (event_id) references events on delete cascade;

-- A code stays redeemed when its event is taken down and deleted.
alter table affiliate_codes drop constraint affiliate_codes_event_id_fkey;

-- Copies share the files of photos. Each read of a file asks whether a published event shows it.
create index event_photos_file on event_photos (file_name);
