/** The guest list by name; see `guest_list_page` in backoffice.functions.sql. */
import { sql } from 'kysely';
import type { GuestFilters } from '#contract/app/sales/guest-table.ts';
import type { PageEnds } from '#contract/app/sales/page-ends.ts';
import { type Channel, type ListedState, statesOf } from '#domain/sales/guest-list.ts';
import type { Db } from '#server/platform/database.ts';

export interface ListedGuests extends GuestFilters {
  eventId: string;
}

export interface ListedRow {
  id: string;
  name: string | null;
  buyerEmail: string;
  confirmationNumber: string;
  ticketName: string;
  state: ListedState;
  scannedAt: Date | null;
  channel: Channel;
}

/** A guest without a name goes by that of the buyer. */
const name = sql`coalesce(g.name, case when t.transferred_count = 0 then o.buyer_name end) as name`;

const listed = sql`t.id, ${name}, coalesce(t.buyer_email, '') as buyer_email, t.confirmation_number, t.ticket_name,
  t.scanned_at, listed_state(t.state, t.disputed_at) as state, channel_of(b.is_import) as channel`;

/** Of tickets `t`. */
const withNames = sql`
  join orders o on o.event_id = t.event_id and o.id = t.order_id
  left join comp_batches b on b.event_id = o.event_id and b.id = o.comp_batch_id
  left join order_guests g on g.event_id = t.event_id and g.ticket_id = t.id`;

/** The limit makes it a look-up for each row: without statistics, PostgreSQL would read all of the event's tickets again. */
const ticketsOf = ({ eventId }: ListedGuests) => sql`
  cross join lateral (select * from tickets where event_id = ${eventId} and id = p.ticket_id limit 1) t`;

interface Page {
  after: string | null;
  until: string | null;
  limit: number;
}

export async function guestsByName(db: Db, list: ListedGuests, page: Page): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${listed}
      from guest_list_page(${filtersOf(list)}, false, ${page.after}, ${page.until}, ${page.limit}) p
      ${ticketsOf(list)} ${withNames}
     order by p.sort_key collate "C", t.id`.execute(db);
  return rows;
}

export interface PrintedRow {
  ticketId: string;
  name: string | null;
  ticketName: string;
  lastDigits: string;
  isCheckedIn: boolean;
}

export async function guestsToPrint(db: Db, list: ListedGuests, page: Omit<Page, 'until'>): Promise<PrintedRow[]> {
  const { rows } = await sql<PrintedRow>`
    select t.id as ticket_id, ${name}, t.ticket_name, right(t.confirmation_number, 4) as last_digits,
           listed_state(t.state, t.disputed_at) = 'scanned' as is_checked_in
      from guest_list_page(${filtersOf(list)}, true, ${page.after}, null, ${page.limit}) p
      ${ticketsOf(list)} ${withNames}
     order by p.sort_key collate "C", t.id`.execute(db);
  return rows;
}

/** Where the full pages after this guest end, and how many guests follow. */
export async function guestPageEnds(db: Db, list: ListedGuests, after: string, rowsPerPage: number): Promise<PageEnds> {
  const { rows } = await sql<PageEnds>`
    select coalesce(array_agg(p.ticket_id::text order by p.number) filter (where p.number % ${rowsPerPage} = 0), '{}') as ends,
           count(*)::int as rows
      from guest_list_page(${filtersOf(list)}, false, ${after}, null, null) with ordinality as p(ticket_id, sort_key, number)`.execute(
    db,
  );
  return rows[0] ?? { ends: [], rows: 0 };
}

interface GuestCount {
  ticketId: string;
  state: ListedState;
  channel: Channel;
  tickets: number;
}

export async function guestListCounts(db: Db, list: ListedGuests): Promise<GuestCount[]> {
  const { rows } = await sql<GuestCount>`
    select ticket_type_id as ticket_id, state, channel, tickets::int
      from guest_list_counts(${list.eventId}, ${searchOf(list)}, ${list.question ?? null}, ${list.answer ?? null})`.execute(
    db,
  );
  return rows;
}

/** Those that are offered, or were and have guests. */
export async function typesOfGuests(db: Db, eventId: string): Promise<{ ticketId: string; ticketName: string }[]> {
  const { rows } = await sql<{ ticketId: string; ticketName: string }>`
    select y.id as ticket_id, y.name as ticket_name
      from ticket_types y
     where y.event_id = ${eventId}
       and (y.removed_at is null or exists (select from tickets t where t.event_id = y.event_id and t.ticket_type_id = y.id))
     order by y.removed_at is not null, y.position`.execute(db);
  return rows;
}

export async function listedGuest(db: Db, eventId: string, ticketId: string) {
  const { rows } = await sql<
    ListedRow & {
      orderId: string;
      priceCents: number;
      isTransferred: boolean;
      isEventCancelled: boolean;
      timezone: string;
    }
  >`
    select ${listed}, t.order_id, t.price_cents, t.transferred_count > 0 as is_transferred, e.timezone,
           e.cancelled_at is not null as is_event_cancelled
      from tickets t
      join events e on e.id = t.event_id ${withNames}
     where t.event_id = ${eventId} and t.id = ${ticketId}`.execute(db);
  return rows[0];
}

interface TicketOfOrder {
  ticketId: string;
  position: number;
  name: string | null;
  ticketName: string;
  state: ListedState;
}

export async function ticketsOfOrder(db: Db, eventId: string, orderId: string): Promise<TicketOfOrder[]> {
  const { rows } = await sql<TicketOfOrder>`
    select n.ticket_id, n.position, g.name, t.ticket_name, listed_state(t.state, t.disputed_at) as state
      from tickets_of_order(${eventId}, ${orderId}) n
      join tickets t on t.event_id = ${eventId} and t.id = n.ticket_id
      left join order_guests g on g.event_id = t.event_id and g.ticket_id = t.id
     order by n.position`.execute(db);
  return rows;
}

function filtersOf(list: ListedGuests) {
  const states = statesOf(list.state, Boolean(list.q));
  return sql`${list.eventId}, ${searchOf(list)}, ${states}::text[], ${list.type ?? null}::uuid, ${list.channel ?? null},
    ${list.question ?? null}, ${list.answer ?? null}`;
}

/** A number may be typed in groups. */
const TYPED_NUMBER = /^\d{2,10}$/;

function searchOf({ q }: ListedGuests) {
  const digits = q?.replace(/[\s-]/g, '') ?? '';
  return sql`lower(${q || null}), ${TYPED_NUMBER.test(digits) ? digits : null}`;
}
