-- Evidence that an operator sends to Stripe for a dispute, once.
create table dispute_evidence (
  event_id text not null,
  dispute_id uuid not null,
  -- Who began the last attempt, and when. Until it has ended, no other process sends.
  sent_by uuid not null references users,
  attempted_at timestamptz not null,
  sent_at timestamptz,
  primary key (event_id, dispute_id),
  foreign key (event_id, dispute_id) references disputes
);
