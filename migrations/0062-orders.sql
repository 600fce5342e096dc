-- Guests that a member added together at no charge: by the form, or by a file, which is not stored.
create table comp_batches (
  event_id text not null references events,
  -- Chosen by the caller, so that a repeated request adds nothing.
  id uuid not null,
  -- Of what was asked for: another request must not pass for a repetition.
  request_hash bytea not null,
  is_import boolean not null,
  tickets integer not null check (tickets > 0),
  created_at timestamptz not null,
  -- When the last of its tickets was issued.
  completed_at timestamptz,
  primary key (event_id, id)
);
create index comp_batches_open on comp_batches (created_at) where completed_at is null;

-- An order of such a guest has a total of 0, no checkout session, and an address as long as it is not over.
alter table orders
  add column comp_batch_id uuid,
  add foreign key (event_id, comp_batch_id) references comp_batches,
  drop constraint paid_orders_are_complete,
  add constraint paid_orders_are_complete
    check (state <> 'paid' or (paid_at is not null and buyer_email is not null and (session_id is not null or comp_batch_id is not null))),
  add constraint comps_were_not_sold check (comp_batch_id is null or (total_cents = 0 and session_id is null and (buyer_email is not null or state = 'expired')));
create index orders_comps on orders (event_id, comp_batch_id) where comp_batch_id is not null;

alter table order_lines add constraint comps_cost_nothing check (source <> 'comp' or unit_price_cents = 0);
