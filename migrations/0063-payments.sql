-- withdrawn: a comp that the organizer ended.
alter table refunds
  drop constraint refunds_reason_check,
  add constraint refunds_reason_check check (reason in ('requested', 'event-cancelled', 'unfulfillable-order', 'external', 'withdrawn')),
  add constraint withdrawn_comps_cost_nothing check (reason <> 'withdrawn' or (cents = 0 and ticket_id is not null));
