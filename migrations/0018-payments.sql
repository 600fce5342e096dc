-- Until when the bank accepts evidence; null for a dispute that needs none.
alter table disputes add column due_at timestamptz;
