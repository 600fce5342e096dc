-- How often the order's address was corrected. Links to its page hold the number, so those that an earlier address got stop working.
alter table orders add column link_version integer not null default 0 check (link_version >= 0);

-- From the first transfer on, `buyer_email` is the address of the ticket's holder. The order keeps that of who paid.
alter table tickets add column transferred_count smallint not null default 0 check (transferred_count between 0 and 3);
create index tickets_transferred on tickets (lower(buyer_email)) where transferred_count > 0;

-- Numbers that tickets had before they were transferred. They no longer admit, and new tickets don't get them.
create table former_numbers (
  event_id text not null,
  number text not null,
  ticket_id uuid not null,
  replaced_at timestamptz not null,
  primary key (event_id, number),
  foreign key (event_id, ticket_id) references tickets
);

-- transferred: the guest came in with a number that the ticket had before.
alter table offline_scans
  drop constraint offline_scans_result_check,
  add constraint offline_scans_result_check
    check (result in ('first', 'again', 'double', 'refunded', 'cancelled', 'disputed', 'transferred', 'outside-hours', 'unknown'));
