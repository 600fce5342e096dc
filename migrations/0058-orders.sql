-- Whether the address of a free order is its buyer's. A code and a link are emailed; both are derived from `id` under the app's key.
create table email_proofs (
  event_id text not null,
  order_id uuid not null,
  id uuid not null,
  email text not null,
  -- Wrong codes since `id` was made.
  wrong_codes integer not null default 0,
  emails_sent integer not null,
  sent_at timestamptz not null,
  proved_at timestamptz,
  primary key (event_id, order_id),
  foreign key (event_id, order_id) references orders on delete cascade
);
create unique index email_proofs_id on email_proofs (id);
create index email_proofs_email on email_proofs (lower(email));
create index email_proofs_sent on email_proofs (sent_at);

-- Whether an address has free tickets of an event already.
create index orders_free on orders (event_id, lower(buyer_email)) where total_cents = 0 and state = 'paid';
