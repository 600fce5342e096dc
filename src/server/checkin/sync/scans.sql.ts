/** Queries for syncing offline scans and for undoing check-ins. */

import { sql } from 'kysely';
import type { ScanResult } from '#contract/app/check-in-devices.ts';
import type { TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

interface SyncingDevice {
  eventId: string;
  /** The device's id: its grant's, or the organizer's. */
  deviceId: string;
}

/** Locks the event before its tickets, in the same order as editing and cancelling do. */
export async function lockEventForSync(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select([
      'cancelledAt',
      'startsAt',
      'endsAt',
      'checkInOpensAt',
      'checkInClosesAt',
      sql<Date>`business_now()`.as('now'),
    ])
    .forKeyShare()
    .executeTakeFirstOrThrow();
}

export interface SyncedTicket {
  id: string;
  confirmationNumber: string;
  state: TicketState;
  scannedBy: string | null;
  scanId: string | null;
  disputedAt: Date | null;
  issuedAt: Date;
}

/** Locks in id order, so that devices that sync the same tickets cannot deadlock. */
export async function lockScannedTickets(db: Db, eventId: string, numbers: readonly string[]) {
  const { rows } = await sql<SyncedTicket>`
    select t.id, t.confirmation_number, t.state, t.scanned_by, t.scan_id, t.disputed_at, t.issued_at
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

/** By the scanned number: the ticket that had it before it was transferred. */
export async function formerTickets(db: Db, eventId: string, numbers: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('formerNumbers')
    .where('eventId', '=', eventId)
    .where('number', 'in', [...numbers, ''])
    .select(['number', 'ticketId'])
    .execute();
  return new Map(rows.map(({ number, ticketId }) => [number, ticketId]));
}

/** Counts new scans whose number matches no ticket of the event, not even one from before a transfer. */
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
       and not exists (select from former_numbers f where f.event_id = ${eventId} and f.number = scan.number)
       and not exists (select from offline_scans o where o.event_id = ${eventId} and o.id = scan.id)`.execute(db);
  return rows[0]?.unknown ?? 0;
}

export interface EvaluatedScan {
  scanId: string;
  confirmationNumber: string;
  /** Null if no ticket has the scanned number. */
  ticketId: string | null;
  at: Date;
  result: ScanResult;
}

/** Returns the ids that were not recorded before. Inserts in id order, so that concurrent syncs cannot deadlock. */
export async function recordScans(db: Db, { eventId, deviceId }: SyncingDevice, scans: readonly EvaluatedScan[]) {
  const { rows } = await sql<{ id: string }>`
    insert into offline_scans (event_id, id, device_id, ticket_id, scanned_at, received_at, result)
    select ${eventId}, scan.id, ${deviceId}, scan.ticket_id, scan.at, business_now(), scan.result
      from unnest(
        ${scans.map((scan) => scan.scanId)}::uuid[],
        ${scans.map((scan) => scan.ticketId)}::uuid[],
        ${scans.map((scan) => scan.at.toISOString())}::timestamptz[],
        ${scans.map((scan) => scan.result)}::text[]) as scan (id, ticket_id, at, result)
     order by scan.id
        on conflict (event_id, id) do nothing
    returning id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The ticket that this device's scan admitted. Reads all tickets of the event: an index would slow down every check-in. */
export async function lockTicketOfScan(db: Db, { eventId, deviceId }: SyncingDevice, scanId: string) {
  const ticket = await db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('scanId', '=', scanId)
    .where('scannedBy', '=', deviceId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return ticket?.id;
}

/** Whether a device recorded an offline scan that admitted a guest with this ticket. The caller holds the ticket's lock. */
export async function wasAdmittedOffline(db: Db, eventId: string, ticketId: string): Promise<boolean> {
  const scan = await db
    .selectFrom('offlineScans')
    .where('eventId', '=', eventId)
    .where('ticketId', '=', ticketId)
    .where('result', 'in', ['first', 'again', 'double'])
    .select('id')
    .executeTakeFirst();
  return scan !== undefined;
}
