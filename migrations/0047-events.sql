-- When each ticket type sells, and how many of it one order takes.
alter table ticket_types
  add column sales_from timestamptz,
  add column sales_until timestamptz,
  add column min_per_order integer not null default 1 check (min_per_order between 1 and 100),
  add column max_per_order integer check (max_per_order between 1 and 100),
  add constraint sales_end_after_start check (sales_from < sales_until),
  add constraint order_limits_agree check (min_per_order <= max_per_order);
-- Counts all ticket types together.
alter table events add column max_per_order integer not null default 100 check (max_per_order between 1 and 100);
