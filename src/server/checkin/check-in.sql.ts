import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Scan {
  eventId: string;
  confirmationNumber: string;
  /** Who scans: the grant's id, or the organizer's. */
  scannedBy: string;
  /** The reading's own, by which it is known again. */
  scanId: string;
}

type TicketRef = Pick<Scan, 'eventId' | 'confirmationNumber'>;

/** One statement decides who was first: two scanners that read the same code admit one guest. */
export async function admitTicket(db: Db, { eventId, confirmationNumber, scannedBy, scanId }: Scan): Promise<boolean> {
  const { rows } = await sql`
    update tickets t
       set state = 'scanned', scanned_at = business_now(), scanned_by = ${scannedBy}, scan_id = ${scanId}
      from events e
     where e.id = t.event_id
       and e.cancelled_at is null
       and t.event_id = ${eventId}
       and t.confirmation_number = ${confirmationNumber}
       and t.state = 'valid'
       and t.disputed_at is null
    returning t.id`.execute(db);
  return rows.length === 1;
}

/** Why a ticket was not admitted. */
export async function ticketToCheckIn(db: Db, { eventId, confirmationNumber }: TicketRef) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .leftJoin('doorDevices as d', (join) => join.onRef('d.eventId', '=', 't.eventId').onRef('d.id', '=', 't.scannedBy'))
    .where('t.eventId', '=', eventId)
    .where('t.confirmationNumber', '=', confirmationNumber)
    .select([
      't.ticketName',
      't.state',
      't.scannedAt',
      't.scannedBy',
      't.scanId',
      'd.name as deviceName',
      't.disputedAt',
      'e.cancelledAt',
      'e.timezone',
      sql<Date>`business_now()`.as('now'),
    ])
    .executeTakeFirst();
}

export type TicketToCheckIn = NonNullable<Awaited<ReturnType<typeof ticketToCheckIn>>>;

/** What a door finds out of a ticket that is there. */
export type CheckInVerdict = { isAdmitted: true; ticketName: string } | ({ isAdmitted: false } & TicketToCheckIn);

/**
 * Null where the ticket is not there, or held by somebody else, or scanned earlier among these: that is found out by those
 * who can wait.
 */
export async function admitTickets(db: Db, scans: readonly Scan[]): Promise<(CheckInVerdict | null)[]> {
  const { rows } = await sql<CheckInVerdict & { place: number }>`/* prepared admit_scans */
    select * from admit_scans(
      ${scans.map((scan) => scan.eventId)}::text[],
      ${scans.map((scan) => scan.confirmationNumber)}::text[],
      ${scans.map((scan) => scan.scannedBy)}::uuid[],
      ${scans.map((scan) => scan.scanId)}::uuid[])`.execute(db);
  const verdicts: (CheckInVerdict | null)[] = scans.map(() => null);
  for (const { place, ...verdict } of rows) verdicts[place - 1] = verdict;
  return verdicts;
}

/** The title of the organizer's other event that has such a ticket, whatever became of either; the newest of several. */
export async function otherEventOfTicket(
  db: Db,
  { eventId, confirmationNumber }: TicketRef,
): Promise<string | undefined> {
  const other = await db
    .selectFrom('events as here')
    .innerJoin('events as other', 'other.organizerId', 'here.organizerId')
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
