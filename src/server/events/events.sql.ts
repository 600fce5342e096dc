import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Schema } from '#server/platform/schema.ts';

/** Serializes the organizer's event creations, so that two can't both fill the plan's last slot. False if the account was erased. */
export async function lockOrganizer(db: Db, organizerId: string): Promise<boolean> {
  const organizer = await db
    .selectFrom('users')
    .where('id', '=', organizerId)
    .where('erasedAt', 'is', null)
    .select('id')
    .forUpdate()
    .executeTakeFirst();
  return organizer !== undefined;
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

export type NewEvent = Omit<Insertable<Schema['events']>, 'attendantCodeVersion' | 'cancelledAt' | 'announcedEndsAt'>;
export type NewTicketType = Omit<Insertable<Schema['ticketTypes']>, 'eventId' | 'reserved' | 'removedAt'>;

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

/** `day` is the start date in the event's time zone. */
export function ownEventToExport(db: Db, organizerId: string, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .select(['title', 'timezone', sql<string>`to_char(starts_at at time zone timezone, 'YYYY-MM-DD')`.as('day')])
    .executeTakeFirst();
}

/** False if the event is not the organizer's. The new version invalidates every grant for the previous code. */
export async function setAttendantCode(
  db: Db,
  { eventId, organizerId, attendantCode }: { eventId: string; organizerId: string; attendantCode: string },
): Promise<boolean> {
  const event = await db
    .updateTable('events')
    .set((column) => ({ attendantCode, attendantCodeVersion: column('attendantCodeVersion', '+', 1) }))
    .where('id', '=', eventId)
    .where('organizerId', '=', organizerId)
    .returning('id')
    .executeTakeFirst();
  return event !== undefined;
}
