-- What an organizer adds to the evidence for a dispute. Deleted once the bank has decided.
create table dispute_statements (
  event_id text not null,
  dispute_id uuid not null,
  text text not null check (length(text) between 1 and 2000),
  written_by uuid not null references users,
  written_at timestamptz not null,
  primary key (event_id, dispute_id),
  foreign key (event_id, dispute_id) references disputes
);
