create table promo_codes (
  event_id text not null references events,
  id uuid not null,
  -- As its buyers see it: upper case. `key` is what they may type for it: see normalizeCode.
  code text not null,
  key text not null,
  -- percent: `value` is hundredths of a percent off. amount: cents off. fixed: the price in cents. unlock: sells hidden types at their price.
  kind text not null check (kind in ('percent', 'amount', 'fixed', 'unlock')),
  value integer not null,
  -- All types with a fixed price that are not hidden, or with `unlock` all hidden ones. Otherwise those in promo_code_types.
  is_for_all boolean not null,
  -- Tickets, over all orders.
  max_uses integer check (max_uses between 1 and 100000),
  -- Tickets that have it: reserved, or sold and neither refunded nor voided. One that was admitted keeps it.
  uses integer not null default 0,
  max_per_order integer check (max_per_order between 1 and 100),
  valid_from timestamptz,
  valid_until timestamptz,
  -- Counts the edits: an order that was priced before the last one is priced again.
  version integer not null default 1,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (event_id, id),
  constraint never_overused check (uses >= 0 and uses <= coalesce(max_uses, uses)),
  constraint promo_codes_value check (case kind when 'percent' then value between 100 and 10000 when 'amount' then value > 0
                                                when 'fixed' then value = 0 or value >= 50 else value = 0 end),
  constraint promo_codes_window check (valid_from < valid_until)
);
create unique index promo_codes_live on promo_codes (event_id, key) where ended_at is null;
create index promo_codes_key on promo_codes (event_id, key);

create table promo_code_types (
  event_id text not null,
  promo_code_id uuid not null,
  ticket_type_id uuid not null,
  primary key (event_id, promo_code_id, ticket_type_id),
  foreign key (event_id, promo_code_id) references promo_codes,
  foreign key (event_id, ticket_type_id) references ticket_types
);

-- No foreign key: checked for each line, also without a code, it took a twentieth of the time that reserving takes. Lines get codes that the
-- reservation has locked, none is ever deleted, and an invariant compares them.
alter table order_lines
  add column promo_code_id uuid,
  add constraint promo_lines_have_a_code check ((source = 'promo') = (promo_code_id is not null));
create index order_lines_promo on order_lines (promo_code_id, event_id) where promo_code_id is not null;
