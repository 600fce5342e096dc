-- An organization has members with different roles, for all events or for chosen ones.
drop index memberships_one_owner;
alter table memberships
  -- Null: all events, also future ones.
  add column only_event_ids text[],
  add column last_seen_at timestamptz,
  add constraint memberships_manage_all check (only_event_ids is null or role not in ('owner', 'admin'));

-- Deleted when accepted or withdrawn.
create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'finance', 'check-in', 'viewer')),
  only_event_ids text[],
  token_hash bytea not null unique,
  invited_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_manage_all check (only_event_ids is null or role not in ('owner', 'admin'))
);
create unique index invitations_email on invitations (organization_id, lower(email));
create index invitations_expiry on invitations (expires_at);
create index invitations_inviter on invitations (invited_by);
