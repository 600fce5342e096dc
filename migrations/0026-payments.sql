-- Not before this moment. Null: at once. The first payout of an organization may be delayed.
alter table payouts add column send_after timestamptz;

-- What an event's first payout held back. It stays owed to the organizer, and is paid as an additional payout when it is due.
create table payout_reserves (
  event_id text not null,
  id uuid not null,
  -- The payout that held it back.
  payout_id uuid not null,
  -- rest: above the cap of an organization's first payout.
  kind text not null check (kind in ('rest')),
  cents bigint not null check (cents > 0),
  due_at timestamptz not null,
  -- The additional payout that paid it.
  paid_by uuid,
  primary key (event_id, id),
  unique (event_id, payout_id, kind),
  foreign key (event_id, payout_id) references payouts,
  foreign key (event_id, paid_by) references payouts
);
create index payout_reserves_unpaid on payout_reserves (due_at) where paid_by is null;
