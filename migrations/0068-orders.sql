-- What the organizer wants the door to know about the guest of a ticket.
alter table order_guests
  add column door_note text check (char_length(door_note) between 1 and 200),
  add constraint door_notes_are_about_tickets check (door_note is null or position > 0);

-- A guest whom a member added may have a name and no address.
alter table orders
  drop constraint paid_orders_are_complete,
  add constraint paid_orders_are_complete
    check (state <> 'paid' or (paid_at is not null and (session_id is not null and buyer_email is not null or comp_batch_id is not null))),
  drop constraint comps_were_not_sold,
  add constraint comps_were_not_sold check (comp_batch_id is null or (total_cents = 0 and session_id is null));
alter table tickets alter column buyer_email drop not null;
