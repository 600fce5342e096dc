-- A series whose dates were all deleted as drafts does not keep its organization.
alter table series
  drop constraint series_organization_id_fkey,
  add constraint series_organization_id_fkey foreign key (organization_id) references organizations on delete cascade;
