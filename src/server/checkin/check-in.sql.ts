import type { Db } from '#server/platform/database.ts';

/** The name of the device that scanned a ticket; nothing for a device that was erased. */
export async function deviceName(db: Db, eventId: string, deviceId: string): Promise<string | null> {
  const device = await db
    .selectFrom('checkInDevices')
    .where('eventId', '=', eventId)
    .where('id', '=', deviceId)
    .select('name')
    .executeTakeFirst();
  return device?.name ?? null;
}

/** A ticket of any of the organization's events. */
export async function ticketOfOrganization(db: Db, organizationId: string, ticketId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('tickets as t', 't.eventId', 'e.id')
    .where('e.organizationId', '=', organizationId)
    .where('t.id', '=', ticketId)
    .select(['t.eventId', 't.confirmationNumber', 't.ticketName'])
    .executeTakeFirst();
}

/** The title of the organization's newest other event that has this ticket, in any state. */
export async function otherEventOfTicket(
  db: Db,
  { eventId, confirmationNumber }: { eventId: string; confirmationNumber: string },
): Promise<string | undefined> {
  const other = await db
    .selectFrom('events as here')
    .innerJoin('events as other', 'other.organizationId', 'here.organizationId')
    .innerJoin('tickets as t', 't.eventId', 'other.id')
    .where('here.id', '=', eventId)
    .whereRef('other.id', '<>', 'here.id')
    .where('t.confirmationNumber', '=', confirmationNumber)
    .select('other.title')
    .orderBy('other.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  return other?.title;
}
