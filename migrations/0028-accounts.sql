-- The rolling reserve of an organization. Null: as the settings say.
alter table organizations add column reserve_percent smallint check (reserve_percent between 0 and 90);
alter table organizations add column reserve_days smallint check (reserve_days between 1 and 365);
