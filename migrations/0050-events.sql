-- A ticket type that opens once another one can no longer be bought, and from then on stays open.
alter table ticket_types
  add column opens_after uuid,
  add column opened_at timestamptz,
  -- At the end of the transaction: an edit adds types after it has changed others.
  add foreign key (event_id, opens_after) references ticket_types deferrable initially deferred,
  add constraint opens_after_another check (opens_after <> id);
create index ticket_types_opens_after on ticket_types (event_id, opens_after) where opens_after is not null;
