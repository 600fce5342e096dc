-- An add-on is sold like a ticket and handed out at the door. It doesn't admit.
alter table ticket_types add column is_add_on boolean not null default false;
