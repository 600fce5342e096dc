-- A keyed hash of the card that paid; null for other payments, and once it is forgotten.
alter table orders add column card_hash bytea;
create index orders_card on orders (card_hash) where card_hash is not null;
