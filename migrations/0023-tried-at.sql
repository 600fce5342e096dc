-- When the card company was last asked for it: those that were asked for longest ago, or never, go first.
alter table payouts add column tried_at timestamptz;
alter table recoveries add column tried_at timestamptz;
create index payouts_to_send on payouts (tried_at nulls first, requested_at) where state <> 'paid';
drop index payouts_unpaid;
