-- Waivers earned by a referral: each removes the processing fee of one event to come.
alter table users add column fee_waivers integer not null default 0 check (fee_waivers >= 0);

create table affiliate_codes (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  owner_id uuid not null references users,
  created_at timestamptz not null,
  redeemed_by uuid references users,
  -- The event whose processing fee it waived. Checked at commit: the code is redeemed before the event is written.
  event_id text unique references events deferrable initially deferred,
  redeemed_at timestamptz,
  -- When its owner was rewarded, after that event was paid out.
  rewarded_at timestamptz,
  constraint affiliate_codes_for_others check (redeemed_by <> owner_id),
  constraint affiliate_codes_redeemed_whole check (num_nonnulls(redeemed_by, event_id, redeemed_at) in (0, 3)),
  constraint affiliate_codes_reward_follows check (rewarded_at is null or event_id is not null)
);
create unique index affiliate_codes_one_unused on affiliate_codes (owner_id) where event_id is null;
