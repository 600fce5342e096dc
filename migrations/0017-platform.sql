-- Whose log shows the event, who acted in which session, and what the message needs: codes and ids only.
alter table audit_events
  add column organization_id uuid,
  add column actor_kind text not null default 'member'
    check (actor_kind in ('member', 'operator', 'key', 'buyer', 'attendant', 'job')),
  add column session_id uuid,
  add column params jsonb not null default '{}'
    check (jsonb_typeof(params) = 'object'
           and not params @? '$.* ? (@.type() == "object" || @.type() == "array" || @.type() == "null")'
           and not params @? '$.* ? (@.type() == "string") ? (!(@ like_regex "^[A-Za-z0-9_.:-]{1,64}$"))');

-- Events are never changed, but those recorded so far lack the columns.
alter table audit_events disable trigger user;
update audit_events a set
  organization_id = coalesce((select organization_id from events e where e.id = a.event_id),
                             (select organization_id from memberships m where m.user_id = a.actor_id order by joined_at limit 1)),
  actor_kind = case when a.action = 'remove-unproven-set-up' then 'job'
                    when a.actor_id is null then 'buyer'
                    when exists (select from operator_actions o where o.operator_id = a.actor_id and o.subject = a.subject) then 'operator'
                    when exists (select from users u where u.id = a.actor_id) then 'member'
                    else 'attendant' end;
alter table audit_events enable trigger user;
alter table audit_events alter column actor_kind drop default;

create index audit_events_newest on audit_events (at, id);
create index audit_events_organization on audit_events (organization_id, at, id);
create index audit_events_member on audit_events (organization_id, actor_id, at, id);
create index audit_events_action on audit_events (organization_id, action, at, id);

-- The keys under which audit events hash networks, one a year. Deleting a key makes its hashes meaningless.
create table network_keys (
  year integer primary key,
  key bytea not null check (length(key) = 32),
  made_at timestamptz not null
);
