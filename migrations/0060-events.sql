-- What an event asks its buyers before they pay, one row per version: an order is asked what was asked when it was reserved.
create table guest_forms (
  event_id text not null references events,
  version integer not null,
  -- The name of each ticket's guest.
  asks_names text not null check (asks_names in ('off', 'optional', 'required')),
  -- In their order; each as `Question` in src/domain/sales/guest-form.ts.
  questions jsonb not null,
  created_at timestamptz not null,
  primary key (event_id, version)
);

-- Null: nothing is asked.
alter table events add column form_version integer;
alter table events add foreign key (id, form_version) references guest_forms (event_id, version);
