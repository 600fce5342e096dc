-- The host for which a passkey was made, the only one where it works. Null for apps and for passkeys from before this column.
alter table user_factors add column host text;
