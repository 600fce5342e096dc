-- What the order's buyer is asked; null: nothing. Answered at `details_at`.
alter table orders add column form_version integer;
alter table orders add column details_at timestamptz;
alter table orders add foreign key (event_id, form_version) references guest_forms (event_id, version);
alter table orders add constraint orders_are_paid_with_details
  check (form_version is null or details_at is not null or session_id is null and state in ('reserved', 'expired'));

-- The only home of guests' names and answers.
create table order_guests (
  event_id text not null,
  order_id uuid not null,
  -- Of the ticket in its order, as `tickets_of_order` counts them; 0 for what was asked once for the order.
  position integer not null check (position >= 0),
  name text,
  -- By question: a text, or a list of texts.
  answers jsonb not null,
  primary key (event_id, order_id, position),
  foreign key (event_id, order_id) references orders on delete cascade
);
