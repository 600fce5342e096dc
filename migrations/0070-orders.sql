-- Passes that were handed out for the wallets of phones, so that they follow what they show.
create table wallet_passes (
  event_id text not null references events,
  -- apple: a ticket on phones. google: a ticket at Google. google-event: what all tickets of an event show there.
  kind text not null check (kind in ('apple', 'google', 'google-event')),
  -- Its id in the wallet: of the order, the position and the transfers so far, or of the event.
  pass_id text not null,
  ticket_id uuid,
  -- When it was handed out. A ticket that was transferred since belongs to someone else.
  transferred_count smallint not null default 0,
  -- Of what the pass shows, as last noticed.
  fingerprint text not null,
  handed_out_at timestamptz not null,
  -- Whole seconds, as in Last-Modified, and later with every change.
  updated_at timestamptz not null,
  -- When wallets are notified of the change; null once they were. While a process does that, when the next one may.
  send_at timestamptz,
  attempts smallint not null default 0,
  sent_on date,
  -- Changes sent on that day.
  sends smallint not null default 0,
  primary key (event_id, kind, pass_id),
  foreign key (event_id, ticket_id) references tickets,
  constraint passes_of_tickets_name_them check ((kind = 'google-event') = (ticket_id is null))
);
-- Apple's phones name the pass alone.
create index wallet_passes_id on wallet_passes (pass_id) where kind = 'apple';
create index wallet_passes_ticket on wallet_passes (event_id, ticket_id);
create index wallet_passes_due on wallet_passes (send_at) where send_at is not null;

-- Phones with Apple's wallet that asked for changes.
create table wallet_devices (
  event_id text not null,
  kind text not null default 'apple' check (kind = 'apple'),
  pass_id text not null,
  device_id text not null,
  push_token text not null,
  registered_at timestamptz not null,
  -- The `updated_at` of the last change that it was notified of.
  notified_at timestamptz not null,
  primary key (event_id, kind, pass_id, device_id),
  foreign key (event_id, kind, pass_id) references wallet_passes on delete cascade
);
create index wallet_devices_device on wallet_devices (device_id);
create index wallet_devices_token on wallet_devices (push_token);
