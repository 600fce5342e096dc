-- Locks nothing: a new table.
-- Restores of the database. Until one is reconciled with Stripe, payouts, their reversals and refunds wait.
create table restores (
  id integer generated always as identity primary key,
  restored_at timestamptz not null,
  reconciled_at timestamptz
);
create unique index restores_open on restores ((true)) where reconciled_at is null;
