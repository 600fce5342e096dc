-- The public page of an organization. Without a slug it has none.
alter table organizations
  add column slug text unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) between 3 and 40),
  add column website text check (website like 'https://%' and length(website) <= 200),
  add column logo_file text,
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column is_page_public boolean not null default true;
-- Each request for an unknown photo asks.
create index organizations_logo on organizations (logo_file) where logo_file is not null;

-- Addresses that pages had. As hashes, so that they stay closed to strangers after their organization is erased.
create table former_slugs (
  slug_hash bytea primary key check (length(slug_hash) = 32),
  organization_id uuid not null references organizations on delete cascade,
  -- Leads to the organization's page until then.
  until timestamptz not null,
  -- Goes to no other organization until then.
  closed_until timestamptz not null check (closed_until >= until)
);
create index former_slugs_organization on former_slugs (organization_id);
