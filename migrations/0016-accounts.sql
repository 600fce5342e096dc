-- Second factors: authenticator apps and passkeys.
create table user_factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  created_at timestamptz not null,
  -- Null until a code has shown that the app has the secret.
  confirmed_at timestamptz,
  last_used_at timestamptz,
  secret_sealed bytea,
  -- The time step of the last accepted code: each code works once.
  last_step bigint,
  credential_id text unique,
  public_key bytea,
  sign_count bigint,
  constraint factors_are_complete check (
    (kind = 'totp') = (secret_sealed is not null)
    and (kind = 'passkey') = (credential_id is not null and public_key is not null and sign_count is not null))
);
create index user_factors_user on user_factors (user_id);
create unique index user_factors_app on user_factors (user_id) where kind = 'totp' and confirmed_at is not null;

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Logins that wait for a second factor or a passkey, and passkeys that are being added.
create table factor_challenges (
  id uuid primary key,
  purpose text not null check (purpose in ('log-in', 'log-in-with-passkey', 'add-passkey')),
  -- Null until the passkey says whose it is.
  user_id uuid references users on delete cascade,
  -- What a passkey signs; null for a person without one.
  challenge text,
  -- Whether a code that was emailed with the challenge is an answer.
  takes_emailed_code boolean not null default false,
  expires_at timestamptz not null,
  constraint challenges_of_persons check ((user_id is null) = (purpose = 'log-in-with-passkey'))
);
create index factor_challenges_user on factor_challenges (user_id);
create index factor_challenges_expiry on factor_challenges (expires_at);

-- A keyless hash of the person and of a random cookie, or of a client's network.
create table known_browsers (
  user_id uuid not null references users on delete cascade,
  browser_hash bytea not null,
  last_seen_at timestamptz not null,
  primary key (user_id, browser_hash)
);
create index known_browsers_last_seen on known_browsers (last_seen_at);

-- Every member needs a second factor.
alter table organizations add column requires_factor boolean not null default false;
