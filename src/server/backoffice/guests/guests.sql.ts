/** Keyset pagination of guest lists: every page follows an index, so the last one costs as much as the first. */

import { sql } from 'kysely';
import type { TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

export type GuestRow = Pick<
  Schema['tickets'],
  'id' | 'orderId' | 'buyerEmail' | 'confirmationNumber' | 'ticketName' | 'priceCents' | 'scannedAt' | 'disputedAt'
> & { state: TicketState; isComp: boolean; isTransferred: boolean; buyerName: string | null };

export interface GuestQuery {
  eventId: string;
  /** Ticket id of the previous page's last guest. */
  after: string | null;
  limit: number;
}

const GUEST_COLUMNS = sql`g.id, g.order_id, g.buyer_email, g.confirmation_number, g.state, g.ticket_name, g.price_cents, g.scanned_at, g.disputed_at,
  g.transferred_count > 0 as is_transferred,
  (select o.buyer_name from orders o where g.transferred_count = 0 and o.event_id = g.event_id and o.id = g.order_id) as buyer_name,
  (select l.source = 'comp' from order_lines l where l.event_id = g.event_id and l.order_id = g.order_id and l.id = g.order_line_id) as is_comp`;

/** @param isWhole includes refunded and void tickets */
export async function guestsInOrderOfSale(
  db: Db,
  { eventId, after, isWhole, limit }: GuestQuery & { isWhole: boolean },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${GUEST_COLUMNS} from guests_in_order_of_sale(${eventId}, ${after}, ${isWhole}, ${limit}) g`.execute(db);
  return rows;
}

/** The first page of each event's list in one statement. Skips events without valid tickets, whose scan would find nothing. */
export async function firstGuestsOf(
  db: Db,
  eventIds: readonly string[],
  limit: number,
): Promise<(GuestRow & { eventId: string })[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<GuestRow & { eventId: string }>`
    select g.event_id, ${GUEST_COLUMNS}
      from unnest(array[${sql.join(eventIds)}]::text[]) as e (id)
     cross join lateral guests_in_order_of_sale(e.id, null, false, ${limit}) g
     where (select sum(sold) from ticket_totals_now n where n.event_id = e.id) > 0
     order by g.event_id, g.id`.execute(db);
  return rows;
}

/** Matches a substring of the address or a prefix of the number. Scans all tickets of the event. */
export async function guestsContaining(
  db: Db,
  { eventId, after, text, limit }: GuestQuery & { text: string },
): Promise<GuestRow[]> {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  const { rows } = await sql<GuestRow>`
    select ${GUEST_COLUMNS} from tickets g
     where g.event_id = ${eventId}
       and (${after}::uuid is null or g.id > ${after})
       and (g.buyer_email ilike ${`%${escaped}%`} or g.confirmation_number like ${`${escaped}%`})
     order by g.event_id, g.id
     limit ${limit}`.execute(db);
  return rows;
}

/** Ordered by address. */
export async function guestsByAddress(
  db: Db,
  { eventId, after, beginning, limit }: GuestQuery & { beginning: string },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${GUEST_COLUMNS} from guests_by_address(${eventId}, ${beginning}, ${after}, ${limit}) g`.execute(db);
  return rows;
}

/** Ordered by number. */
export async function guestsByNumber(
  db: Db,
  { eventId, after, beginning, limit }: GuestQuery & { beginning: string },
): Promise<GuestRow[]> {
  const { rows } = await sql<GuestRow>`
    select ${GUEST_COLUMNS} from guests_by_number(${eventId}, ${beginning}, ${after}, ${limit}) g`.execute(db);
  return rows;
}

export interface ExportedRow extends GuestRow {
  /** In the event's time zone, for example `2026-06-12 19:42:10`. */
  scannedAtLocal: string | null;
  issuedAtLocal: string;
}

export async function guestsToExport(
  db: Db,
  { eventId, after, isWhole, timezone, limit }: GuestQuery & { isWhole: boolean; timezone: string },
): Promise<ExportedRow[]> {
  const localTime = (moment: 'scanned_at' | 'issued_at') =>
    sql`to_char(g.${sql.raw(moment)} at time zone ${timezone}, 'YYYY-MM-DD HH24:MI:SS')`;
  const { rows } = await sql<ExportedRow>`
    select ${GUEST_COLUMNS}, ${localTime('scanned_at')} as scanned_at_local, ${localTime('issued_at')} as issued_at_local
      from guests_in_order_of_sale(${eventId}, ${after}, ${isWhole}, ${limit}) g`.execute(db);
  return rows;
}

/** A guest at no charge can have a name where none is asked. */
export async function whatGuestsHave(db: Db, eventId: string): Promise<{ hasNames: boolean; hasDoorNotes: boolean }> {
  const { rows } = await sql<{ hasNames: boolean; hasDoorNotes: boolean }>`
    select exists (select from order_guests where event_id = ${eventId} and name is not null) as has_names,
           exists (select from order_guests where event_id = ${eventId} and door_note is not null) as has_door_notes`.execute(
    db,
  );
  return { hasNames: rows[0]?.hasNames ?? false, hasDoorNotes: rows[0]?.hasDoorNotes ?? false };
}
