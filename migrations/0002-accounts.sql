create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  email_verified_at timestamptz,
  is_admin boolean not null default false,
  first_name text,
  last_name text,
  -- Removed once Stripe has verified the account; `adult_confirmed_at` remains.
  date_of_birth date,
  phone_number text,
  created_at timestamptz not null,
  adult_confirmed_at timestamptz,
  -- Set when the account was deleted: the row holds no personal data and cannot log in.
  erased_at timestamptz
);
create unique index users_email on users (lower(email));

-- Owns events, the payout account and affiliate codes. The name and the tax ID are null until the owner saves them.
create table organizations (
  id uuid primary key,
  name text,
  bio text,
  type text check (type in ('individual', 'company')),
  -- AES-256-GCM. The key is not in the database; the last four digits stay readable.
  tax_id_sealed bytea,
  tax_id_last4 text check (tax_id_last4 ~ '^[0-9]{4}$'),
  token_count integer not null default 3 check (token_count >= 0),
  -- Earned by referrals: each waives the processing fee of one future event.
  fee_waivers integer not null default 0 check (fee_waivers >= 0),
  created_at timestamptz not null,
  -- Set when its owner deleted it: the row only keeps its events together.
  erased_at timestamptz
);

create table memberships (
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'editor', 'finance', 'check-in', 'viewer')),
  joined_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_user on memberships (user_id, joined_at);
create unique index memberships_one_owner on memberships (organization_id) where role = 'owner';

-- The session cookie only names the row; the row holds the authority.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- The organization that the user acts for.
  organization_id uuid not null,
  -- Set for logins from a browser, which also need the secret in an HttpOnly cookie.
  binding_hash bytea,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (organization_id, user_id) references memberships on delete cascade
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_membership on sessions (organization_id, user_id);
create index sessions_expiry on sessions (expires_at);

-- Emailed links. Only the hash is stored, so a copy of the database opens no account.
create table email_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify-email', 'reset-password', 'change-email', 'undo-email-change')),
  -- The recipient, and the address that opening the link assigns: the new one of change-email, the old one of undo-email-change.
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_links_user on email_links (user_id, purpose);
create index email_links_expiry on email_links (expires_at);
-- An address that can still be restored stays taken.
create index email_links_undo on email_links (lower(email)) where purpose = 'undo-email-change';

-- The organization's Stripe account. The row is written first: it claims the one account an organization may have.
create table payout_accounts (
  organization_id uuid primary key references organizations,
  -- Sent to Stripe on creation, kept so that a retry sends the same body.
  email text not null,
  organization_name text not null,
  organization_type text not null check (organization_type in ('individual', 'company')),
  -- Null until Stripe has answered.
  account_id text unique,
  is_active boolean not null default false,
  created_at timestamptz not null,
  -- When Stripe last reported `is_active`.
  read_at timestamptz not null,
  constraint active_accounts_exist check (not is_active or account_id is not null)
);

create table affiliate_codes (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  owner_id uuid not null references organizations,
  created_at timestamptz not null,
  redeemed_by uuid references organizations,
  -- The event whose processing fee it waived.
  event_id text unique,
  redeemed_at timestamptz,
  -- When the owner was rewarded, after that event's payout.
  rewarded_at timestamptz,
  constraint affiliate_codes_for_others check (redeemed_by <> owner_id),
  constraint affiliate_codes_redeemed_whole check (num_nonnulls(redeemed_by, event_id, redeemed_at) in (0, 3)),
  constraint affiliate_codes_reward_follows check (rewarded_at is null or event_id is not null)
);
create unique index affiliate_codes_one_unused on affiliate_codes (owner_id) where event_id is null;
