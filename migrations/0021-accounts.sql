-- An unused code expires after 12 months; the row is marked when its owner generates the next one.
alter table affiliate_codes add column expired_at timestamptz;
drop index affiliate_codes_one_unused;
create unique index affiliate_codes_one_unused on affiliate_codes (owner_id) where event_id is null and expired_at is null;
create index affiliate_codes_owner on affiliate_codes (owner_id, created_at);
