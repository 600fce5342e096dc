-- Buyers name the price of each ticket: at least `price_cents`, which can be 0. The suggestion fills in the field.
alter table ticket_types
  add column has_named_price boolean not null default false,
  add column suggested_cents integer,
  add constraint suggestions_are_for_named_prices check (suggested_cents is null or has_named_price and suggested_cents >= price_cents);
