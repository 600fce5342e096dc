-- What operators did about money and action items. Append-only.
create table operator_actions (
  id uuid primary key,
  operator_id uuid not null references users,
  action text not null check (action in ('retry', 'refund-order', 'paid-another-way', 'write-off')),
  -- The kind and id it was done to, such as `refund` and the refund's id.
  kind text not null,
  subject text not null,
  event_id text references events,
  cents integer not null default 0 check (cents >= 0),
  note text not null default '',
  at timestamptz not null
);
create index operator_actions_newest on operator_actions (at desc, id desc);
-- What moves money happens once, however often it is requested.
create unique index operator_actions_once on operator_actions (action, subject) where action <> 'retry';

-- Links for buyers, who have no account, to see and delete their records. Only the hash is stored.
create table privacy_links (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index privacy_links_email on privacy_links (lower(email));
create index privacy_links_expiry on privacy_links (expires_at);

-- Who was erased, by keyed hashes. Restoring a backup brings people back; these rows, and the log next to the photos,
-- erase them again.
create table erasures (
  id uuid primary key,
  kind text not null check (kind in ('organizer', 'buyer')),
  address_hash text not null check (address_hash ~ '^[0-9a-f]{32}$'),
  -- For an organizer: a backup may know the account under an earlier address.
  account_hash text check (account_hash ~ '^[0-9a-f]{32}$'),
  erased_at timestamptz not null
);
