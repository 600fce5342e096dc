-- For the script that restores, before the product starts. Repeating it changes nothing until the restore is reconciled.
create or replace function mark_restored() returns void language sql as $$
  insert into restores (restored_at) values (business_now()) on conflict do nothing;
$$;
