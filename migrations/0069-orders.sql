-- As Stripe reports it with the payment; free orders and comps have none.
alter table orders add column buyer_name text check (char_length(buyer_name) between 1 and 100);
