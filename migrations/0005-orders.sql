-- Stock. A sale keeps its reservation; expiry, refunds and voiding release it. Columns of ticket_types, so that one row lock and one
-- constraint decide the last ticket.
alter table ticket_types
  add column reserved integer not null default 0,
  add column available integer not null generated always as (quantity - reserved) stored,
  add constraint never_oversold check (reserved between 0 and quantity);

create table orders (
  event_id text not null references events,
  id uuid not null,
  -- reserved: tickets are reserved, not paid. expired: the reservation was released.
  -- unfulfillable: paid, but no ticket could be issued, so the money goes back.
  -- needs-review: the payment does not match the order, so the operator reviews it.
  state text not null check (state in ('reserved', 'paid', 'expired', 'unfulfillable', 'needs-review')),
  total_cents integer not null check (total_cents >= 0),
  -- Sent to Stripe with the order's id as idempotency key; the same key must carry the same body.
  reservation_expires_at timestamptz not null,
  session_id text,
  session_url text,
  payment_id text,
  buyer_email text,
  created_at timestamptz not null,
  paid_at timestamptz,
  -- What was paid, where it differs from the total.
  received_cents integer check (received_cents >= 0),
  review_reason text,
  -- Last attempt to end the checkout; the longest wait goes first.
  end_attempted_at timestamptz,
  cart_id uuid,
  primary key (event_id, id),
  constraint paid_orders_are_complete check (state <> 'paid' or (paid_at is not null and session_id is not null and buyer_email is not null)),
  constraint orders_needing_review_say_why check (state <> 'needs-review' or review_reason is not null)
) with (fillfactor = 80);
create unique index orders_session on orders (session_id, event_id) where session_id is not null;
create index orders_reserved on orders (reservation_expires_at) where state = 'reserved';
create index orders_payment on orders (payment_id) where payment_id is not null;
create unique index orders_cart on orders (event_id, cart_id) where state = 'reserved' and cart_id is not null;
-- A waiting-room pass buys once: its cart is looked up among the paid ones.
create index orders_cart_paid on orders (event_id, cart_id) where state = 'paid' and cart_id is not null;
create index orders_needing_review on orders (created_at) where state = 'needs-review';
create index orders_buyer on orders (lower(buyer_email)) where buyer_email is not null;

-- Names and prices at the time of the order; editing the event changes no order. A type can have several lines.
create table order_lines (
  event_id text not null,
  order_id uuid not null,
  id uuid not null default gen_random_uuid(),
  ticket_type_id uuid not null,
  ticket_name text not null,
  list_price_cents integer not null check (list_price_cents >= 0),
  discount_cents integer not null default 0 check (discount_cents >= 0),
  -- What the buyer pays for one ticket. Fees, refunds and statements use this price only.
  unit_price_cents integer not null check (unit_price_cents >= 0),
  quantity integer not null check (quantity > 0),
  -- Where the price comes from: the ticket type's list price, a promo code, a named price, a complimentary ticket, the door.
  source text not null default 'list' check (source in ('list', 'promo', 'named', 'comp', 'door')),
  -- Within the buyer's cart, from 1.
  position integer not null check (position > 0),
  primary key (event_id, order_id, id),
  constraint order_lines_price_adds_up check (unit_price_cents = list_price_cents - discount_cents),
  foreign key (event_id, order_id) references orders,
  foreign key (event_id, ticket_type_id) references ticket_types
);

create table tickets (
  event_id text not null,
  id uuid not null,
  order_id uuid not null,
  order_line_id uuid not null,
  ticket_type_id uuid not null,
  confirmation_number text not null check (confirmation_number ~ '^[1-9][0-9]{9}$'),
  ticket_name text not null,
  price_cents integer not null check (price_cents >= 0),
  buyer_email text not null,
  -- valid or scanned until its refund starts.
  state text not null default 'valid' check (state in ('valid', 'scanned', 'refunding', 'refunded', 'void')),
  scanned_at timestamptz,
  scanned_by uuid,
  issued_at timestamptz not null,
  -- Set while the payment is disputed. The state stays: the dispute may be won.
  disputed_at timestamptz,
  -- The scan that admitted the guest, so that a repeated or undone scan is recognized.
  scan_id uuid,
  primary key (event_id, id),
  unique (event_id, confirmation_number),
  foreign key (event_id, order_id, order_line_id) references order_lines,
  foreign key (event_id, ticket_type_id) references ticket_types,
  constraint scanned_has_a_time check (state <> 'scanned' or scanned_at is not null),
  constraint valid_was_never_scanned check (state <> 'valid' or scanned_at is null)
) with (fillfactor = 90);
create index tickets_order on tickets (event_id, order_id);
-- Search by the beginning of an address. Byte order turns the beginning into a range.
create index tickets_buyer on tickets (event_id, (lower(buyer_email) collate "C"), id);

-- Token bucket for opening payment pages, shared by all servers. In real time: it limits calls to Stripe, whatever the
-- business clock says. Below 0 after Stripe answered "too many requests".
create table checkout_rate (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  tokens double precision not null default 0,
  counted_at timestamptz not null default 'epoch'
) with (fillfactor = 50);
insert into checkout_rate default values;

-- Orders with reserved tickets that wait for their payment page, in the order of opening.
create table checkout_queue (
  event_id text not null,
  order_id uuid not null,
  position bigint not null generated always as identity,
  -- Claimed by a server until then, or not to be retried before. In real time.
  not_before timestamptz not null default '-infinity',
  -- Counts the expiry times its page was requested with: another time needs another idempotency key.
  attempt integer not null default 0,
  primary key (event_id, order_id),
  foreign key (event_id, order_id) references orders
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index checkout_queue_position on checkout_queue (position);

-- See ledger_entries.
alter table tickets alter column event_id set statistics 0;
alter table orders alter column event_id set statistics 0;
