/** Admits guests with their tickets, and undoes it. */

import { sql } from 'kysely';
import type { TicketState } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

export interface Scan {
  eventId: string;
  confirmationNumber: string;
  /** The scanning device: a grant's id, or the organizer's id. */
  scannedBy: string;
  /** Idempotency key of the scan. */
  scanId: string;
  /** When a device scanned it without a network; otherwise now. */
  at?: Date;
}

export interface ScannedTicket {
  ticketName: string;
  state: TicketState;
  scannedAt: Date | null;
  scannedBy: string | null;
  scanId: string | null;
  disputedAt: Date | null;
  cancelledAt: Date | null;
  timezone: string;
  now: Date;
}

export type AdmitResult = { isAdmitted: true; ticketName: string } | ({ isAdmitted: false } & ScannedTicket);

/**
 * One statement decides: if two scanners read the same code, one of them admits the guest. `null` if the ticket does not exist or
 * appears earlier in `scans`, and unless it `waits`, also if the ticket is locked.
 */
export async function admitTickets(
  db: Db,
  scans: readonly Scan[],
  { waits }: { waits: boolean },
): Promise<(AdmitResult | null)[]> {
  const { rows } = await sql<AdmitResult & { index: number }>`/* prepared admit_tickets */
    select * from admit_tickets(
      ${scans.map((scan) => scan.eventId)}::text[],
      ${scans.map((scan) => scan.confirmationNumber)}::text[],
      ${scans.map((scan) => scan.scannedBy)}::uuid[],
      ${scans.map((scan) => scan.scanId)}::uuid[],
      ${scans.map((scan) => scan.at?.toISOString() ?? null)}::timestamptz[],
      ${waits})`.execute(db);
  const results: (AdmitResult | null)[] = scans.map(() => null);
  for (const { index, ...result } of rows) results[index - 1] = result;
  return results;
}

/** Makes a ticket valid again, unless it is too late or a refund has started. The caller holds the ticket's lock. */
export async function undoAdmission(
  tx: Db,
  { eventId, ticketId, withinSeconds }: { eventId: string; ticketId: string; withinSeconds: number },
): Promise<boolean> {
  const { rows } = await sql`
    update tickets
       set state = 'valid', scanned_at = null, scanned_by = null, scan_id = null
     where event_id = ${eventId}
       and id = ${ticketId}
       and state = 'scanned'
       and scanned_at >= business_now() - make_interval(secs => ${withinSeconds})
    returning id`.execute(tx);
  return rows.length === 1;
}
