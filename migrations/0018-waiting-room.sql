-- A declared start of the sale; and, for those who ask for it, a waiting room in front of the checkout.
alter table events
  add column sales_start_at timestamptz,
  add column buyers_per_minute integer check (buyers_per_minute between 1 and 6000),
  add constraint waiting_room_has_a_start check (buyers_per_minute is null or sales_start_at is not null);

-- One row a room, and none a visitor: a place is a signed number, and when it is called follows from the pace.
create table waiting_rooms (
  event_id text primary key references events,
  -- The last number that was given out. Numbers whose call passed while nobody came are skipped.
  given bigint not null default 0 check (given >= 0),
  -- How many came before the start and are drawn; null until the first look after it.
  early bigint check (early between 0 and given),
  -- The pace now: places after `called_before` are called from `since` on.
  called_before bigint not null default 0,
  since timestamptz not null,
  per_minute integer not null check (per_minute between 1 and 6000),
  -- The paces before it, oldest first, for those who were called by them.
  earlier_paces jsonb not null default '[]'
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- A place buys once: its cart is looked for among the paid ones.
create index orders_cart_paid on orders (event_id, cart_id) where state = 'paid' and cart_id is not null;
