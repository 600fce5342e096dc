-- An organization can be deleted while its people stay. It has no address, and account_hash is that of its id.
alter table erasures drop constraint erasures_kind_check;
alter table erasures add constraint erasures_kind_check check (kind in ('organizer', 'buyer', 'organization'));
alter table erasures alter column address_hash drop not null;
alter table erasures add constraint erasures_address check ((address_hash is null) = (kind = 'organization'));
