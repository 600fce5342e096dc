-- organizer: a member's refund. `action_id`: the first refund of what the member refunded together, which the buyer gets one email about.
-- `note`: why, in the member's words.
alter table refunds
  drop constraint refunds_reason_check,
  add constraint refunds_reason_check
    check (reason in ('requested', 'event-cancelled', 'unfulfillable-order', 'external', 'withdrawn', 'organizer')),
  add column action_id uuid,
  add column note text,
  add constraint refunds_of_members_belong_together check ((reason = 'organizer') = (action_id is not null)),
  add constraint refunds_notes_are_of_members check (note is null or reason = 'organizer');
