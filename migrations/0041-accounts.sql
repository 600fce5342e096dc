-- Undoing a change of email removes the codes that were made since.
alter table recovery_codes add column created_at timestamptz not null default now();
alter table recovery_codes alter column created_at drop default;
