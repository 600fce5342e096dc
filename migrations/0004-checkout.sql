create table orders (
  event_id text not null references events,
  id uuid not null,
  -- held: tickets are reserved, nobody has paid. expired: the reservation was given back.
  -- unfillable: paid, but no ticket could be issued; the money goes back.
  state text not null check (state in ('held', 'paid', 'expired', 'unfillable')),
  total_cents integer not null check (total_cents >= 0),
  -- Sent to the card company with the order's id as key: the same key must carry the same body, so it is kept.
  hold_expires_at timestamptz not null,
  session_id text,
  session_url text,
  payment_id text,
  buyer_email text,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (event_id, id),
  unique (event_id, session_id),
  constraint paid_orders_are_complete check (state <> 'paid' or (paid_at is not null and session_id is not null and buyer_email is not null))
) with (fillfactor = 80);
create index orders_session on orders (session_id);
create index orders_held on orders (hold_expires_at) where state = 'held';

-- What was ordered, at the name and price of that moment: a later edit of the event changes no order.
create table order_lines (
  event_id text not null,
  order_id uuid not null,
  ticket_type_id uuid not null,
  ticket_name text not null,
  unit_price_cents integer not null check (unit_price_cents >= 0),
  quantity integer not null check (quantity > 0),
  primary key (event_id, order_id, ticket_type_id),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, ticket_type_id) references ticket_types
);

create table tickets (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  ticket_type_id uuid not null,
  confirmation_number text not null check (confirmation_number ~ '^[1-9][0-9]{9}$'),
  ticket_name text not null,
  price_cents integer not null check (price_cents >= 0),
  buyer_email text not null,
  -- valid or scanned, until its money starts to go back.
  state text not null default 'valid' check (state in ('valid', 'scanned', 'refunding', 'refunded', 'void')),
  scanned_at timestamptz,
  scanned_by uuid,
  issued_at timestamptz not null,
  primary key (event_id, id),
  unique (event_id, confirmation_number),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, ticket_type_id) references ticket_types,
  constraint scanned_has_a_time check (state <> 'scanned' or scanned_at is not null),
  constraint valid_was_never_scanned check (state <> 'valid' or scanned_at is null)
);
create index tickets_order on tickets (event_id, order_id);

-- Money given back. A row is written before the card company is asked, so that no crash can ask twice.
create table refunds (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  cents integer not null check (cents > 0),
  reason text not null check (reason in ('unfillable-order')),
  state text not null default 'claimed' check (state in ('claimed', 'sent')),
  provider_refund_id text,
  created_at timestamptz not null,
  primary key (event_id, id),
  unique (event_id, order_id, reason),
  foreign key (event_id, order_id) references orders
);

-- What the card company told us. Seen is not done: processed_at is set together with the effect.
create table webhook_inbox (
  id text primary key,
  type text not null,
  -- The order that it is about, when it names one of ours.
  event_id text,
  order_id uuid,
  payload jsonb not null,
  received_at timestamptz not null,
  processed_at timestamptz
);
create index webhook_inbox_open on webhook_inbox (received_at) where processed_at is null;
