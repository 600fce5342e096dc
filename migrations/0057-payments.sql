-- What a dispute reversed can pay a refund that its buyer got at Stripe meanwhile. If the dispute is won, only the rest is the organizer's.
alter table transfer_reversals
  add column used_cents integer not null default 0,
  add constraint reversals_used check (used_cents between 0 and gross_cents);
