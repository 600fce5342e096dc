-- A date of birth is kept until the card company has looked at the account; after that only that somebody was old enough.
alter table users
  add column adult_confirmed_at timestamptz,
  -- The organizer asked for it: nothing in the row tells who it was, and nobody logs in by it.
  add column erased_at timestamptz;

-- Links by which a buyer, who has no account, sees and deletes what is kept. Only a hash of the secret is here.
create table privacy_links (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index privacy_links_email on privacy_links (lower(email));
create index privacy_links_expiry on privacy_links (expires_at);

-- Who was deleted, by a hash under a key that is not in the database. A backup that is restored brings people back: whatever
-- stands here, and in the file beside the photos, is deleted again.
create table erasures (
  id uuid primary key,
  kind text not null check (kind in ('organizer', 'buyer')),
  address_hash text not null check (address_hash ~ '^[0-9a-f]{32}$'),
  -- Of an organizer: a backup may have the account under an address that it had before.
  account_hash text check (account_hash ~ '^[0-9a-f]{32}$'),
  erased_at timestamptz not null
);

-- Whose account a mail is about: it goes with the account, whatever address it had then. Mails about a purchase have none.
alter table mail_outbox add column account_id uuid;
update mail_outbox m set account_id = u.id
  from users u
 where lower(m.to_address) = lower(u.email)
   and m.kind in ('verify-email', 'reset-password', 'confirm-new-email', 'email-change-notice', 'password-changed',
                  'account-info-changed', 'password-guessed', 'payout-sent', 'dispute-opened', 'dispute-ended');
create index mail_outbox_account on mail_outbox (account_id) where account_id is not null;

-- What a person may ask for by address, and the addresses that the purge looks for.
create index orders_buyer on orders (lower(buyer_email)) where buyer_email is not null;
create index mail_outbox_to on mail_outbox (lower(to_address));
create index mail_outbox_addressed on mail_outbox (sent_at) where sent_at is not null and to_address <> '';
