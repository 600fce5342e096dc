-- What Stripe reports of an account that could once receive payouts, and since when its organization sells no paid tickets for it.
alter table payout_accounts
  add column restricted_at timestamptz,
  add column closed_at timestamptz,
  add column sales_stopped_at timestamptz;
create index payout_accounts_restricted on payout_accounts (restricted_at) where sales_stopped_at is null;
