alter table email_outbox
  -- not-sent: its recipient's limit was reached, or the recipient's data was erased first.
  add column state text not null default 'queued' check (state in ('queued', 'sent', 'not-sent')),
  -- Keyed hash of the mailbox, on emails that a stranger can cause. Counts them for a day.
  add column recipient_hash bytea;
update email_outbox set state = 'sent' where sent_at is not null;
alter table email_outbox add constraint only_sent_emails_have_a_time check ((state = 'sent') = (sent_at is not null));

drop index email_outbox_open;
create index email_outbox_open on email_outbox (created_at) where state = 'queued';
create index email_outbox_unsent on email_outbox (created_at) where state <> 'sent' and to_address <> '';
create index email_outbox_recipient on email_outbox (recipient_hash, created_at) where recipient_hash is not null;

-- Requests by day and TRUST_PROXY, and how many had forwarding headers that contradict it.
create table proxy_header_counts (
  trusted_proxies integer not null,
  day date not null,
  requests bigint not null,
  contradicting bigint not null,
  primary key (trusted_proxies, day)
);
