import { sql } from 'kysely';
import type { Db } from '#server/database.ts';
import type { Schema } from '#server/schema.ts';

/** Makes the organizer's event creations wait for each other, so that two at once cannot both be the second. */
export async function lockOrganizer(db: Db, organizerId: string): Promise<void> {
  await db.selectFrom('users').where('id', '=', organizerId).select('id').forUpdate().execute();
}

export async function countActiveEvents(db: Db, organizerId: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .where('organizerId', '=', organizerId)
    .where('cancelledAt', 'is', null)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .select((column) => column.fn.countAll<number>().as('active'))
    .executeTakeFirstOrThrow();
  return row.active;
}

export type NewEvent = Omit<
  Schema['events'],
  'attendantCodeVersion' | 'processingFeeWaived' | 'cancelledAt' | 'keptEndsAt' | 'latestEndsAt'
> & { processingFeeWaived: boolean };
export type NewTicketType = Omit<Schema['ticketTypes'], 'eventId' | 'reserved' | 'removedAt'>;

export async function insertEvent(db: Db, event: NewEvent, types: readonly NewTicketType[]): Promise<void> {
  await db.insertInto('events').values(event).execute();
  await insertTicketTypes(db, event.id, types);
}

export async function insertTicketTypes(db: Db, eventId: string, types: readonly NewTicketType[]): Promise<void> {
  if (types.length === 0) return;
  await db
    .insertInto('ticketTypes')
    .values(types.map((type) => ({ ...type, eventId })))
    .execute();
}

export async function publicEventRow(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('users as u', 'u.id', 'e.organizerId')
    .where('e.id', '=', eventId)
    .selectAll('e')
    .select(['u.organizationName', 'u.organizationBio', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}

export async function eventRowsOf(db: Db, organizerId: string) {
  return db
    .selectFrom('events')
    .where('organizerId', '=', organizerId)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .execute();
}

export async function hasEvent(db: Db, organizerId: string, eventId: string): Promise<boolean> {
  const event = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .select('id')
    .executeTakeFirst();
  return event !== undefined;
}

export async function ticketTypeRows(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('ticketTypes')
    .where('eventId', 'in', eventIds)
    .where('removedAt', 'is', null)
    .selectAll()
    .orderBy('position')
    .execute();
}

/** Tickets that count: what was refunded is no sale. */
const SOLD_STATES = ['valid', 'scanned'] as const;

export async function salesTotals(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('tickets')
    .where('eventId', 'in', eventIds)
    .where('state', 'in', SOLD_STATES)
    .groupBy('eventId')
    .select((column) => [
      'eventId',
      column.fn.countAll<number>().as('sold'),
      column.fn.sum<number>('priceCents').as('grossCents'),
      column.fn.count<number>('scannedAt').as('scanned'),
    ])
    .execute();
}

export interface GuestQuery {
  eventId: string;
  /** Ticket id of the last guest of the page before. */
  after: string | null;
  search: string | null;
  /** Also tickets that were given back; otherwise the list is as long as tickets were sold. */
  isWhole: boolean;
  limit: number;
}

/** One page of guests in the order of sale, found by key so that the last page costs what the first does. */
export async function guestRows(db: Db, { eventId, after, search, isWhole, limit }: GuestQuery) {
  let query = db.selectFrom('tickets').where('eventId', '=', eventId);
  if (!isWhole) query = query.where('state', 'in', SOLD_STATES);
  if (after !== null) query = query.where('id', '>', after);
  if (search !== null) {
    const escaped = search.replace(/[\\%_]/g, '\\$&');
    query = query.where((where) =>
      where.or([where('buyerEmail', 'ilike', `%${escaped}%`), where('confirmationNumber', 'like', `${escaped}%`)]),
    );
  }
  return query
    .select(['id', 'buyerEmail', 'confirmationNumber', 'state', 'ticketName', 'priceCents', 'scannedAt', 'disputedAt'])
    .orderBy('eventId')
    .orderBy('id')
    .limit(limit)
    .execute();
}
