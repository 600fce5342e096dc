-- Payouts are requested for the organization, each as soon as it can be.
alter table payout_accounts add column requests_payouts boolean not null default false;
create index payout_accounts_requesting on payout_accounts (organization_id) where requests_payouts;
