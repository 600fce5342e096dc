-- More links in mails. The address is where a link was mailed to, and what it makes the account's own:
-- the new address of change-email, the old one of undo-email-change.
alter table email_links drop constraint email_links_purpose_check;
alter table email_links add constraint email_links_purpose_check
  check (purpose in ('verify-email', 'reset-password', 'change-email', 'undo-email-change'));
create index email_links_expiry on email_links (expires_at);
-- An address that can still be taken back belongs to nobody else meanwhile.
create index email_links_undo on email_links (lower(email)) where purpose = 'undo-email-change';
create index sessions_expiry on sessions (expires_at);

-- The latest end that buyers were told since the first sale: moving the end never makes the payout earlier.
alter table events add column kept_ends_at timestamptz;
alter table events add column latest_ends_at timestamptz not null
  generated always as (greatest(ends_at, kept_ends_at)) stored;

-- A ticket type that is no longer offered. Its row stays: checkouts that came to nothing still name it.
alter table ticket_types add column removed_at timestamptz;
drop index ticket_types_name;
create unique index ticket_types_name on ticket_types (event_id, lower(name)) where removed_at is null;

-- What buyers knew of an event before its date or place was changed, until all of them have been told.
create table event_changes (
  event_id text not null references events,
  id uuid not null,
  street text not null,
  city text not null,
  state text not null,
  postal_code text not null,
  timezone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (event_id, id)
);
