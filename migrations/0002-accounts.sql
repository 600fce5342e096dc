create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  email_verified_at timestamptz,
  is_admin boolean not null default false,
  first_name text,
  last_name text,
  date_of_birth date,
  phone_number text,
  organization_name text,
  organization_bio text,
  organization_type text check (organization_type in ('individual', 'company')),
  -- AES-256-GCM under a key that is not in the database; the last four digits stay readable.
  tax_id_sealed bytea,
  tax_id_last4 text check (tax_id_last4 ~ '^[0-9]{4}$'),
  token_count integer not null default 3 check (token_count >= 0),
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

-- A log-in. The token in the cookie names the row; the row holds all the authority.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Set for log-ins from a browser: the session also needs the secret in an HttpOnly cookie.
  binding_hash bytea,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id, created_at);

-- Links that were mailed. Only a hash is kept, so that a copy of the database opens no account.
create table email_links (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('verify-email')),
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index email_links_user on email_links (user_id, purpose);

-- The organizer's account with the card company. The row comes first: it claims the one account.
create table payout_accounts (
  user_id uuid primary key references users,
  -- What the account is asked for, kept so that a repeated request says the same.
  email text not null,
  organization_name text not null,
  organization_type text not null check (organization_type in ('individual', 'company')),
  -- Null until the card company has answered.
  account_id text unique,
  is_active boolean not null default false,
  created_at timestamptz not null,
  -- When the card company was last asked whether it is active.
  read_at timestamptz not null,
  constraint active_accounts_exist check (not is_active or account_id is not null)
);
