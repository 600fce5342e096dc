/** Queries for syncing offline scans and for undoing check-ins. */
import { sql } from 'kysely';
import type { ScanResult } from '#contract/app/check-in-devices.ts';
import { UNDO_GRACE_SECONDS, UNDO_SECONDS } from '#domain/limits.ts';
import type { Db } from '#server/platform/database.ts';

interface SyncingDevice {
  eventId: string;
  /** The device's id: its grant's, or the organizer's. */
  grantId: string;
}

/** Locks the event before its tickets, in the same order as editing and cancelling do. */
export async function lockEventForSync(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['cancelledAt', sql<Date>`business_now()`.as('now')])
    .forKeyShare()
    .executeTakeFirstOrThrow();
}

export interface SyncedTicket {
  id: string;
  confirmationNumber: string;
  state: 'valid' | 'scanned' | 'refunding' | 'refunded' | 'void';
  scannedBy: string | null;
  scanId: string | null;
  disputedAt: Date | null;
}

/** Locks in id order, so that devices that sync the same tickets cannot deadlock. */
export async function lockScannedTickets(db: Db, eventId: string, numbers: readonly string[]) {
  const { rows } = await sql<SyncedTicket>`
    select t.id, t.confirmation_number, t.state, t.scanned_by, t.scan_id, t.disputed_at
      from unnest(${[...numbers]}::text[]) as named (number)
      join tickets t on t.event_id = ${eventId} and t.confirmation_number = named.number
     order by t.id
       for no key update of t`.execute(db);
  return rows;
}

/** Results of the scans that were synced before, by scan id. */
export async function recordedResults(
  db: Db,
  eventId: string,
  scanIds: readonly string[],
): Promise<Map<string, ScanResult>> {
  const rows = await db
    .selectFrom('offlineScans')
    .where('eventId', '=', eventId)
    .where('id', 'in', scanIds)
    .select(['id', 'result'])
    .execute();
  return new Map(rows.map(({ id, result }) => [id, result]));
}

/** Counts new scans whose number matches no ticket of the event. */
export async function countUnknownTickets(
  db: Db,
  eventId: string,
  scans: readonly { scanId: string; confirmationNumber: string }[],
): Promise<number> {
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::int as unknown
      from unnest(
        ${scans.map((scan) => scan.scanId)}::uuid[],
        ${scans.map((scan) => scan.confirmationNumber)}::text[]) as scan (id, number)
     where not exists (select from tickets t where t.event_id = ${eventId} and t.confirmation_number = scan.number)
       and not exists (select from offline_scans o where o.event_id = ${eventId} and o.id = scan.id)`.execute(db);
  return rows[0]?.unknown ?? 0;
}

export interface EvaluatedScan {
  scanId: string;
  /** Null if no ticket has the scanned number. */
  ticketId: string | null;
  at: Date;
  result: ScanResult;
}

/** A device's clock may be wrong: a guest cannot have come in before the ticket was sold. */
const notBeforeSale = (at: ReturnType<typeof sql>) => sql`greatest(${at}, t.issued_at)`;

/** Returns the ids that were not recorded before. Inserts in id order, so that concurrent syncs cannot deadlock. */
export async function recordScans(db: Db, { eventId, grantId }: SyncingDevice, scans: readonly EvaluatedScan[]) {
  const { rows } = await sql<{ id: string }>`
    insert into offline_scans (event_id, id, device_id, ticket_id, scanned_at, received_at, result)
    select ${eventId}, scan.id, ${grantId}, scan.ticket_id, ${notBeforeSale(sql`scan.at`)}, business_now(), scan.result
      from unnest(
        ${scans.map((scan) => scan.scanId)}::uuid[],
        ${scans.map((scan) => scan.ticketId)}::uuid[],
        ${scans.map((scan) => scan.at.toISOString())}::timestamptz[],
        ${scans.map((scan) => scan.result)}::text[]) as scan (id, ticket_id, at, result)
      left join tickets t on t.event_id = ${eventId} and t.id = scan.ticket_id
     order by scan.id
        on conflict (event_id, id) do nothing
    returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The transaction already holds the locks on these tickets. */
export async function admitByScans(
  db: Db,
  { eventId, grantId }: SyncingDevice,
  scans: readonly EvaluatedScan[],
): Promise<void> {
  await sql`
    update tickets t
       set state = 'scanned', scanned_at = ${notBeforeSale(sql`scan.at`)}, scanned_by = ${grantId}, scan_id = scan.id
      from unnest(
        ${scans.map((scan) => scan.ticketId)}::uuid[],
        ${scans.map((scan) => scan.scanId)}::uuid[],
        ${scans.map((scan) => scan.at.toISOString())}::timestamptz[]) as scan (ticket_id, id, at)
     where t.event_id = ${eventId}
       and t.id = scan.ticket_id
       and t.state = 'valid'`.execute(db);
}

/** The ticket that this device's scan admitted. Reads all tickets of the event: an index would slow down every check-in. */
export async function lockTicketOfScan(db: Db, { eventId, grantId }: SyncingDevice, scanId: string) {
  const ticket = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('scanId', '=', scanId)
    .where('scannedBy', '=', grantId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return ticket?.id;
}

/**
 * False if it is too late, if a refund has started, or if an offline scan admitted a guest with the ticket. Runs as a
 * separate statement after locking the ticket, so that it sees scans synced in the meantime.
 */
export async function revertCheckIn(db: Db, eventId: string, ticketId: string): Promise<boolean> {
  const { rows } = await sql`
    update tickets t
       set state = 'valid', scanned_at = null, scanned_by = null, scan_id = null
     where t.event_id = ${eventId}
       and t.id = ${ticketId}
       and t.state = 'scanned'
       and t.scanned_at >= business_now() - make_interval(secs => ${UNDO_SECONDS + UNDO_GRACE_SECONDS})
       and not exists (select from offline_scans o
                        where o.event_id = t.event_id and o.ticket_id = t.id and o.result in ('first', 'again', 'double'))
    returning t.id`.execute(db);
  return rows.length === 1;
}
