-- The token of an emailed link is derived from the link's id under a key outside the database, so that the same link can be
-- sent again.
alter table email_links add column id uuid not null default gen_random_uuid();
alter table privacy_links add column id uuid not null default gen_random_uuid();
