/** Pages of guest lists. Each is found by key, in the order of an index, so that the last one costs what the first does. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export type GuestRow = Pick<
  Schema['tickets'],
  'id' | 'buyerEmail' | 'confirmationNumber' | 'ticketName' | 'priceCents' | 'scannedAt' | 'disputedAt'
> & { state: 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void' };

export interface GuestQuery {
  eventId: string;
  /** Ticket id of the last guest of the page before. */
  after: string | null;
  limit: number;
}

const SHOWN = sql`g.id, g.buyer_email, g.confirmation_number, g.state, g.ticket_name, g.price_cents, g.scanned_at, g.disputed_at`;

/** @param isWhole also tickets that were given back; otherwise the list is as long as tickets were sold */
export async function guestsInOrderOfSale(
  db: Db,
  { eventId, after, isWhole, limit }: GuestQuery & { isWhole: boolean },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${SHOWN} from guests_in_order_of_sale(${eventId}, ${after}, ${isWhole}, ${limit}) g`.execute(db);
  return rows;
}

/** The first page of each event's list, in one statement. Where all was given back, nobody looks for what is not there. */
export async function firstGuestsOf(
  db: Db,
  eventIds: readonly string[],
  limit: number,
): Promise<(GuestRow & { eventId: string })[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<GuestRow & { eventId: string }>`
    select g.event_id, ${SHOWN}
      from unnest(array[${sql.join(eventIds)}]::text[]) as e (id)
     cross join lateral guests_in_order_of_sale(e.id, null, false, ${limit}) g
     where (select sum(sold) from ticket_totals_now n where n.event_id = e.id) > 0
     order by g.event_id, g.id`.execute(db);
  return rows;
}

/** Whose address contains this, or whose number begins with it: looks at the event's every ticket. */
export async function guestsContaining(
  db: Db,
  { eventId, after, text, limit }: GuestQuery & { text: string },
): Promise<GuestRow[]> {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  const { rows } = await sql<GuestRow>`
    select ${SHOWN} from tickets g
     where g.event_id = ${eventId}
       and (${after}::uuid is null or g.id > ${after})
       and (g.buyer_email ilike ${`%${escaped}%`} or g.confirmation_number like ${`${escaped}%`})
     order by g.event_id, g.id
     limit ${limit}`.execute(db);
  return rows;
}

/** In the order of their addresses. */
export async function guestsByAddress(
  db: Db,
  { eventId, after, beginning, limit }: GuestQuery & { beginning: string },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${SHOWN} from guests_by_address(${eventId}, ${beginning}, ${after}, ${limit}) g`.execute(db);
  return rows;
}

/** In the order of their numbers. */
export async function guestsByNumber(
  db: Db,
  { eventId, after, beginning, limit }: GuestQuery & { beginning: string },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${SHOWN} from guests_by_number(${eventId}, ${beginning}, ${after}, ${limit}) g`.execute(db);
  return rows;
}

export interface ExportedRow extends GuestRow {
  /** On the event's own clock, `2026-06-12 19:42:10`. */
  scannedAtThere: string | null;
  issuedAtThere: string;
}

export async function guestsToExport(
  db: Db,
  { eventId, after, isWhole, timezone, limit }: GuestQuery & { isWhole: boolean; timezone: string },
): Promise<ExportedRow[]> {
  const onThatClock = (moment: 'scanned_at' | 'issued_at') =>
    sql`to_char(g.${sql.raw(moment)} at time zone ${timezone}, 'YYYY-MM-DD HH24:MI:SS')`;
  const { rows } = await sql<ExportedRow>`
    select ${SHOWN}, ${onThatClock('scanned_at')} as scanned_at_there, ${onThatClock('issued_at')} as issued_at_there
      from guests_in_order_of_sale(${eventId}, ${after}, ${isWhole}, ${limit}) g`.execute(db);
  return rows;
}
