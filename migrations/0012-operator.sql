-- What an operator did by hand about money and stuck work. Rows are only ever added.
create table operator_actions (
  id uuid primary key,
  -- The admin's account.
  operator_id uuid not null references users,
  action text not null check (action in ('retry', 'refund-order', 'paid-another-way', 'write-off')),
  -- What it was done to, such as `refund` and the refund's id.
  kind text not null,
  subject text not null,
  event_id text references events,
  cents integer not null default 0 check (cents >= 0),
  note text not null default '',
  at timestamptz not null
);
create index operator_actions_newest on operator_actions (at desc, id desc);
-- What moves money is done once, whoever asks and however often.
create unique index operator_actions_once on operator_actions (action, subject) where action <> 'retry';

create function operator_actions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what an operator did is never changed or removed';
end $$;

create trigger operator_actions_append_only
  before update or delete or truncate on operator_actions
  for each statement execute function operator_actions_are_append_only();

-- What the operator looks for, among all that is done.
create index orders_quarantined on orders (created_at) where state = 'quarantined';
create index refunds_failed on refunds (failed_at) where state = 'failed';
