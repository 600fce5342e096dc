-- Mail to be sent, written in the transaction that causes it. One row per occasion, however often it is caused.
create table mail_outbox (
  id uuid primary key,
  kind text not null,
  subject_id text not null,
  version integer not null default 1,
  to_address text not null,
  -- What the template needs and cannot look up, such as a link's secret; emptied once the mail is sent.
  params jsonb not null default '{}',
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (kind, subject_id, version)
);
create index mail_outbox_open on mail_outbox (created_at) where sent_at is null;

-- Where mail goes when no mail server is set: whole messages, read at /sandbox/inbox.
create table inbox_messages (
  id uuid primary key,
  message_id text not null unique,
  to_address text not null,
  raw bytea not null,
  received_at timestamptz not null
);
create index inbox_messages_to on inbox_messages (lower(to_address), received_at);
