import { sql } from 'kysely';
import type { Db } from '#server/database.ts';

interface Scan {
  eventId: string;
  confirmationNumber: string;
  /** Who scans: the grant's id, or the organizer's. */
  scannedBy: string;
}

/** One statement decides who was first: two scanners that read the same code admit one guest. */
export async function admitTicket(db: Db, { eventId, confirmationNumber, scannedBy }: Scan): Promise<string | null> {
  const { rows } = await sql<{ ticketName: string }>`
    update tickets t
       set state = 'scanned', scanned_at = business_now(), scanned_by = ${scannedBy}
      from events e
     where e.id = t.event_id
       and e.cancelled_at is null
       and t.event_id = ${eventId}
       and t.confirmation_number = ${confirmationNumber}
       and t.state = 'valid'
       and t.disputed_at is null
    returning t.ticket_name`.execute(db);
  return rows[0]?.ticketName ?? null;
}

/** Why a ticket was not admitted. */
export async function ticketAtDoor(db: Db, eventId: string, confirmationNumber: string) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where('t.eventId', '=', eventId)
    .where('t.confirmationNumber', '=', confirmationNumber)
    .select([
      't.ticketName',
      't.state',
      't.scannedAt',
      't.scannedBy',
      't.disputedAt',
      'e.cancelledAt',
      'e.timezone',
      sql<Date>`business_now()`.as('now'),
    ])
    .executeTakeFirst();
}

export async function attendantCodeOf(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['attendantCode', 'attendantCodeVersion'])
    .executeTakeFirst();
}
