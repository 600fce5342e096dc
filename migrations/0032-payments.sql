-- An operator keeps the payouts of an event. By event, because its payout may not exist yet.
create table payout_holds (
  event_id text primary key references events,
  held_at timestamptz not null,
  held_by uuid not null references users,
  -- Shown to the organizer.
  reason text not null
);
