-- Check-ins more than 12 hours before the start of an event. Each is emailed to its buyer, who can object: a check-in ends refunds.
create table early_check_ins (
  event_id text not null,
  id uuid not null,
  ticket_id uuid not null,
  scanned_at timestamptz not null,
  recorded_at timestamptz not null,
  -- When the buyer said that they weren't there.
  objected_at timestamptz,
  -- undone-at-door: undone by the device within seconds. undone, kept: decided by an operator.
  outcome text check (outcome in ('undone-at-door', 'undone', 'kept')),
  ended_at timestamptz,
  -- When an operator reviewed the event's early check-ins.
  reviewed_at timestamptz,
  primary key (event_id, id),
  foreign key (event_id, ticket_id) references tickets,
  constraint early_check_ins_end_once check ((outcome is null) = (ended_at is null))
);
create index early_check_ins_ticket on early_check_ins (event_id, ticket_id);
create index early_check_ins_objections on early_check_ins (event_id) where objected_at is not null and ended_at is null;
create index early_check_ins_unreviewed on early_check_ins (event_id, recorded_at) where reviewed_at is null;
-- See ledger_entries.
alter table early_check_ins alter column event_id set statistics 0;

alter table operator_actions
  drop constraint operator_actions_action_check,
  add constraint operator_actions_action_check
    check (action in ('retry', 'refund-order', 'paid-another-way', 'write-off',
                      'undo-check-in', 'keep-check-in', 'undo-check-ins', 'keep-check-ins'));
