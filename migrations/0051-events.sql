-- Sold only with a promo code that unlocks it, and shown only with one.
alter table ticket_types add column is_hidden boolean not null default false;
