-- reserve: a share of every event's payout, kept for a while.
alter table payout_reserves drop constraint payout_reserves_kind_check;
alter table payout_reserves add constraint payout_reserves_kind_check check (kind in ('reserve', 'rest'));
-- Taken from it by disputes and refunds after the payout.
alter table payout_reserves add column taken_cents bigint not null default 0 check (taken_cents between 0 and cents);

-- from-reserve: what the payout held back covers all of it, so no transfer is reversed.
alter table transfer_reversals drop constraint transfer_reversals_state_check;
alter table transfer_reversals add constraint transfer_reversals_state_check
  check (state in ('claimed', 'reversed', 'receivable', 'from-reserve'));
-- The part that is taken from what the payout held back. The rest is reversed, or becomes a debt.
alter table transfer_reversals add column reserve_cents integer not null default 0
  check (reserve_cents between 0 and gross_cents - fees_cents);
