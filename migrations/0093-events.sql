-- Locks events: an instant, to refer to it.
-- Taxes that an event's prices include, each from a moment on: an order has the one of when it was made.
create table event_taxes (
  event_id text not null references events on delete cascade,
  since timestamptz not null,
  -- Thousandths of a percent. 0: prices include none from here on.
  rate integer not null check (rate between 0 and 30000),
  label text not null,
  primary key (event_id, since)
);
