import { sql } from 'kysely';
import type { ListState } from '#contract/app/check-in-devices.ts';
import { GUEST_SEARCH_LETTERS_MIN } from '#domain/limits.ts';
import type { Db } from '#server/platform/database.ts';

export interface GuestNamed {
  ticketId: string;
  name: string;
  ticketName: string;
  isAddOn: boolean;
  state: ListState;
  scannedAt: Date | null;
  lastDigits: string;
}

/**
 * Guests of sold tickets whose names have, for each word of `name`, one that begins with it. By name. A ticket without a name has its
 * buyer's, like on the guest list, unless it was transferred.
 */
export async function guestsNamed(
  db: Db,
  { eventId, name, limit }: { eventId: string; name: string; limit: number },
): Promise<GuestNamed[]> {
  const isFound = (column: 'g.name' | 'o.buyer_name') =>
    sql`name_words(${sql.raw(column)}) like all (array(select '% ' || word || '%' from unnest(string_to_array(trim(name_words(${name})), ' ')) as word))`;
  const { rows } = await sql<GuestNamed>`
    with named as materialized (
      select g.order_id, g.position, g.name
        from order_guests g
        join orders o on o.event_id = g.event_id and o.id = g.order_id and o.state = 'paid'
       where g.event_id = ${eventId} and g.position > 0 and ${isFound('g.name')}
       union all
      select o.id, n.position, o.buyer_name
        from orders o
       cross join lateral tickets_of_order(o.event_id, o.id) as n
       where o.event_id = ${eventId} and o.state = 'paid' and ${isFound('o.buyer_name')}
         and not exists (select from order_guests g
                          where g.event_id = o.event_id and g.order_id = o.id and g.position = n.position and g.name is not null)
         and exists (select from tickets t where t.event_id = o.event_id and t.id = n.ticket_id and t.transferred_count = 0)
    ), first as (
      select * from named
       -- What isn't a letter to this database doesn't count.
       where char_length(replace(name_words(${name}), ' ', '')) >= ${GUEST_SEARCH_LETTERS_MIN}
       order by lower(name), order_id, position
       limit ${limit})
    select t.id as ticket_id, first.name, t.ticket_name, y.is_add_on,
           listed_state(t.state, t.disputed_at) as state,
           t.scanned_at, right(t.confirmation_number, 2) as last_digits
      from first
     cross join lateral (
       select n.ticket_id from tickets_of_order(${eventId}, first.order_id) n where n.position = first.position) as numbered
      join tickets t on t.event_id = ${eventId} and t.id = numbered.ticket_id
      join ticket_types y on y.event_id = t.event_id and y.id = t.ticket_type_id
     order by lower(first.name), first.order_id, first.position`.execute(db);
  return rows;
}

/** Undefined for a ticket of another event. */
export async function numberOfTicket(
  db: Db,
  { eventId, ticketId }: { eventId: string; ticketId: string },
): Promise<string | undefined> {
  const ticket = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .select('confirmationNumber')
    .executeTakeFirst();
  return ticket?.confirmationNumber;
}
