import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface Scan {
  eventId: string;
  confirmationNumber: string;
  /** The scanning device: a grant's id, or the organizer's id. */
  scannedBy: string;
  /** Idempotency key of the scan. */
  scanId: string;
}

type TicketKey = Pick<Scan, 'eventId' | 'confirmationNumber'>;

/** A single statement decides: if two scanners read the same code, one of them admits the guest. */
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

export async function ticketToCheckIn(db: Db, { eventId, confirmationNumber }: TicketKey) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .leftJoin('checkInDevices as d', (join) =>
      join.onRef('d.eventId', '=', 't.eventId').onRef('d.id', '=', 't.scannedBy'),
    )
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

export type AdmitResult = { isAdmitted: true; ticketName: string } | ({ isAdmitted: false } & TicketToCheckIn);

/** `null` if the ticket does not exist, is locked, or appears earlier in `scans`: the caller resolves these one by one. */
export async function admitTickets(db: Db, scans: readonly Scan[]): Promise<(AdmitResult | null)[]> {
  const { rows } = await sql<AdmitResult & { index: number }>`/* prepared admit_tickets */
    select * from admit_tickets(
      ${scans.map((scan) => scan.eventId)}::text[],
      ${scans.map((scan) => scan.confirmationNumber)}::text[],
      ${scans.map((scan) => scan.scannedBy)}::uuid[],
      ${scans.map((scan) => scan.scanId)}::uuid[])`.execute(db);
  const results: (AdmitResult | null)[] = scans.map(() => null);
  for (const { index, ...result } of rows) results[index - 1] = result;
  return results;
}

/** The title of the organizer's newest other event that has this ticket, in any state. */
export async function otherEventOfTicket(
  db: Db,
  { eventId, confirmationNumber }: TicketKey,
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
