alter table operator_actions
  drop constraint operator_actions_action_check,
  add constraint operator_actions_action_check
    check (action in ('retry', 'refund-order', 'paid-another-way', 'write-off',
                      'undo-check-in', 'keep-check-in', 'undo-check-ins', 'keep-check-ins',
                      'stop-sales', 'resume-sales', 'suspend-organization', 'resume-organization',
                      'hold-payout', 'release-payout', 'handle-reports'));

-- A brake goes on and off as often as needed, and an event is reported again.
drop index operator_actions_once;
create unique index operator_actions_once on operator_actions (action, subject)
  where action not in ('retry', 'stop-sales', 'resume-sales', 'suspend-organization', 'resume-organization',
                       'hold-payout', 'release-payout', 'handle-reports');
