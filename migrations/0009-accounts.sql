-- When the user last entered the password in this session.
alter table sessions add column reauthenticated_at timestamptz;
update sessions set reauthenticated_at = created_at;
alter table sessions alter column reauthenticated_at set not null;

-- Null once someone else may know the password: a reset link sets a new one.
alter table users alter column password_hash drop not null;

-- Null after the password was reset by email: an owner looks at the account and confirms it before the next payout.
alter table payout_accounts add column confirmed_at timestamptz default now();
alter table payout_accounts alter column confirmed_at drop default;

-- `Chrome on Windows`, so that people recognize their devices. Null for an API client.
alter table sessions add column browser_label text;
