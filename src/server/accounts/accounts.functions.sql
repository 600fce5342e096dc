-- Whether the public finds a page of it. Suspended organizations have none.
create or replace function has_page(o organizations) returns boolean
  language sql immutable
  as $$ select o.slug is not null and o.is_page_public and o.name is not null and o.erased_at is null and o.suspended_at is null $$;

-- What stands for an address that a page had.
create or replace function slug_hash(slug text) returns bytea
  language sql immutable
  as $$ select sha256(convert_to(slug, 'UTF8')) $$;

-- Members keep an owner, whatever removes or demotes one. Checked at commit, so that ownership can change hands.
create or replace function require_owner() returns trigger language plpgsql as $$
begin
  if exists (select from memberships where organization_id = old.organization_id)
     and not exists (select from memberships where organization_id = old.organization_id and role = 'owner') then
    raise exception 'the members of organization % have no owner', old.organization_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

drop trigger if exists memberships_keep_owner on memberships;
create constraint trigger memberships_keep_owner after update or delete on memberships
  deferrable initially deferred for each row when (old.role = 'owner') execute function require_owner();
