/** Rows that changed since a transaction, a page at a time, by event and id. */
import { sql } from 'kysely';
import { ORDER, type OrderRow, type Reach, reached, TICKET, type TicketRow } from '#server/backoffice/api/api.sql.ts';
import type { Db } from '#server/platform/database.ts';
import { type ChangedSince, isChanged } from './transactions.sql.ts';

interface Page {
  since: ChangedSince;
  /** Null before the first row. */
  after: { eventId: string; id: string } | null;
  limit: number;
}

const isAfter = (alias: 'o' | 't', after: Page['after']) =>
  after
    ? sql`(${sql.ref(`${alias}.event_id`)}, ${sql.ref(`${alias}.id`)}) > (${after.eventId}, ${after.id}::uuid)`
    : sql`true`;

export function changedEvents(
  db: Db,
  reach: Reach,
  { since, after, limit, eventId }: Page & { eventId: string | null },
) {
  const changed = reached(db, reach).where(isChanged('events', since));
  const asked = eventId === null ? changed : changed.where('id', '=', eventId);
  return (after ? asked.where('id', '>', after.id) : asked).orderBy('id').limit(limit).execute();
}

export async function changedOrders(
  db: Db,
  eventIds: readonly string[],
  { since, after, limit }: Page,
): Promise<OrderRow[]> {
  const { rows } = await sql<OrderRow>`
    select ${ORDER} from orders o
     where o.event_id = any (${eventIds}::text[]) and ${isAfter('o', after)} and ${isChanged('o', since)}
     order by o.event_id, o.id limit ${limit}`.execute(db);
  return rows;
}

/** A ticket's holder has their name in a row of its own. */
export async function changedTickets(
  db: Db,
  eventIds: readonly string[],
  { since, after, limit }: Page,
): Promise<TicketRow[]> {
  const { rows } = await sql<TicketRow>`
    select ${TICKET} from tickets t
     where t.event_id = any (${eventIds}::text[]) and ${isAfter('t', after)}
       and (${isChanged('t', since)} or (t.event_id, t.id) in (
              select g.event_id, g.ticket_id from order_guests g
               where g.event_id = any (${eventIds}::text[]) and ${isChanged('g', since)}))
     order by t.event_id, t.id limit ${limit}`.execute(db);
  return rows;
}

/** Of the last restore. A cursor from before it may name rows that are lost. */
export async function restoresSoFar(db: Db): Promise<string> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from restores`.execute(db);
  return String(rows[0]?.id ?? 0);
}
