-- Brakes on sales. Each cause has its own columns, so that releasing one brake leaves the others on.
alter table events
  add column sales_stopped_at timestamptz,
  add column sales_stopped_by uuid references users,
  -- Shown to the organizer.
  add column stop_reason text,
  -- Copies of what holds for the organization, so that a reservation reads no other row.
  add column suspended_at timestamptz,
  add column paid_sales_stopped_at timestamptz,
  -- all: nothing is sold. paid: only free tickets are.
  add column paused_sales text generated always as (
    case when sales_stopped_at is not null or suspended_at is not null then 'all'
         when paid_sales_stopped_at is not null then 'paid' end) stored,
  add constraint stops_say_who_and_why check (num_nonnulls(sales_stopped_at, sales_stopped_by, stop_reason) in (0, 3));

-- Since when no position is called; null while the room moves.
alter table waiting_rooms add column paused_at timestamptz;
