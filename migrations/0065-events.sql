alter table events add column allows_ticket_transfer boolean not null default true;
