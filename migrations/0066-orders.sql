-- The ticket that a name and answers belong to, from its issue on. Sales of events that ask nothing write no row here.
alter table order_guests add column ticket_id uuid;
update order_guests g
   set ticket_id = n.ticket_id
  from (select t.event_id, t.order_id, t.id as ticket_id,
               row_number() over (partition by t.event_id, t.order_id order by l.position, t.id) as position
          from tickets t
          join order_lines l on l.event_id = t.event_id and l.order_id = t.order_id and l.id = t.order_line_id) as n
 where g.event_id = n.event_id and g.order_id = n.order_id and g.position = n.position;

create unique index order_guests_ticket on order_guests (event_id, ticket_id) where ticket_id is not null;
-- Search by the beginning of a name, in byte order, as that of an address.
create index order_guests_name on order_guests (event_id, (lower(name) collate "C"), ticket_id) where name is not null and ticket_id is not null;
