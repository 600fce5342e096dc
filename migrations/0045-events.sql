-- Operators look at events that moved once half of their tickets were sold: the money may be paid out for another evening.
alter table event_changes add column is_half_sold boolean not null default false;
alter table event_changes alter column is_half_sold drop default;
create index event_changes_half_sold on event_changes (event_id) where is_half_sold;
