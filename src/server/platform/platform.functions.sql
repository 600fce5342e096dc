create or replace function business_now() returns timestamptz
  language sql stable
  as $$ select now() + make_interval(secs => offset_seconds) from business_clock $$;

-- A version 7 UUID. It starts with the time in milliseconds, which keeps index inserts local.
create or replace function new_row_id() returns uuid language sql volatile as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
           placing substring(int8send((date_part('epoch', clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

create or replace function announce_clock() returns trigger language plpgsql as $$
begin
  perform pg_notify('clock_moved', '');
  return null;
end $$;

create or replace trigger clock_announced after update on business_clock
  for each row execute function announce_clock();

create or replace function audit_events_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is never changed or removed';
end $$;

create or replace trigger audit_events_append_only
  before update or delete or truncate on audit_events
  for each statement execute function audit_events_are_append_only();

-- Queues an email for each subject and enqueues its delivery. An email that is queued already, by its kind, subject and version, is
-- skipped.
create or replace function queue_emails(
  email_kind text, subjects text[], addresses text[], email_params jsonb[], queued_at timestamptz,
  email_version integer default 1, about_account uuid default null
) returns void language plpgsql as $$
declare
  jobs graphile_worker.job_spec[];
begin
  with queued as (
    insert into email_outbox (id, kind, subject_id, version, to_address, params, created_at, account_id)
    select new_row_id(), email_kind, e.subject, email_version, e.address, e.params, queued_at, about_account
      from unnest(subjects, addresses, email_params) as e (subject, address, params)
     where e.address is not null
        on conflict (kind, subject_id, version) do nothing
    returning id)
  select array_agg(('send-email', json_build_object('emailId', id), null, now(), null, null, null, null)::graphile_worker.job_spec)
    into jobs from queued;
  if jobs is not null then perform graphile_worker.add_jobs(jobs); end if;
end $$;

-- Queues an email that a stranger can cause, as the next version of its subject. Over a limit the row says not-sent and the call
-- does the same otherwise, so that its caller learns nothing. A limit of null is off. Returns whether the email is going out.
create or replace function queue_limited_email(
  email_kind text, subject text, address text, email_params jsonb, queued_at timestamptz, about_account uuid, recipient bytea,
  lock_namespace integer, hour_max integer, day_max integer, same_subject_max integer
) returns boolean language plpgsql as $$
declare
  email_id uuid := new_row_id();
  in_hour integer;
  in_day integer;
  same_subject integer;
  goes_out boolean;
begin
  -- Two emails at once must not both take the last place.
  perform pg_advisory_xact_lock(lock_namespace, hashtext(encode(recipient, 'hex')));
  select count(*) filter (where m.created_at > queued_at - interval '1 hour'), count(*),
         count(*) filter (where m.created_at > queued_at - interval '1 hour' and m.kind = email_kind and m.subject_id = subject)
    into in_hour, in_day, same_subject
    from email_outbox m
   where m.recipient_hash = recipient and m.state <> 'not-sent' and m.created_at > queued_at - interval '1 day';
  goes_out := coalesce(in_hour < hour_max, true) and coalesce(in_day < day_max, true) and coalesce(same_subject < same_subject_max, true);

  insert into email_outbox (id, kind, subject_id, version, to_address, params, created_at, account_id, recipient_hash, state)
  select email_id, email_kind, subject, coalesce(max(m.version), 0) + 1, address,
         case when goes_out then email_params else '{}' end, queued_at, about_account, recipient,
         case when goes_out then 'queued' else 'not-sent' end
    from email_outbox m where m.kind = email_kind and m.subject_id = subject;
  if goes_out then perform graphile_worker.add_job('send-email', json_build_object('emailId', email_id)); end if;
  return goes_out;
end $$;
