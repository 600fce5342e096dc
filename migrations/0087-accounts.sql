-- Locks users, organizations: an instant, to refer to them.
-- Keys of programs. Ended ones stay, for those who ask who could do what.
create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  created_by uuid not null references users on delete cascade,
  name text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  only_event_ids text[],
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_organization on api_keys (organization_id, created_at);
create index api_keys_created_by on api_keys (created_by);
