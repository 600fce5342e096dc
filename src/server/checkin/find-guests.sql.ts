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

/** Guests of sold tickets whose names have, for each word of `name`, one that begins with it. By name. */
export async function guestsNamed(
  db: Db,
  { eventId, name, limit }: { eventId: string; name: string; limit: number },
): Promise<GuestNamed[]> {
  const { rows } = await sql<GuestNamed>`
    with named as materialized (
      select g.order_id, g.position, g.name
        from order_guests g
        join orders o on o.event_id = g.event_id and o.id = g.order_id and o.state = 'paid'
       where g.event_id = ${eventId} and g.position > 0
         and name_words(g.name) like all (array(select '% ' || word || '%' from unnest(string_to_array(trim(name_words(${name})), ' ')) as word))
         -- What isn't a letter to this database doesn't count.
         and char_length(replace(name_words(${name}), ' ', '')) >= ${GUEST_SEARCH_LETTERS_MIN}
       order by lower(g.name), g.order_id, g.position
       limit ${limit})
    select t.id as ticket_id, named.name, t.ticket_name, y.is_add_on,
           case when t.state = 'valid' and t.disputed_at is not null then 'disputed' else t.state end as state,
           t.scanned_at, right(t.confirmation_number, 2) as last_digits
      from named
     cross join lateral (
       select n.ticket_id from tickets_of_order(${eventId}, named.order_id) n where n.position = named.position) as numbered
      join tickets t on t.event_id = ${eventId} and t.id = numbered.ticket_id
      join ticket_types y on y.event_id = t.event_id and y.id = t.ticket_type_id
     order by lower(named.name), named.order_id, named.position`.execute(db);
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
