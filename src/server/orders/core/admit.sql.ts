/** Admits guests with their tickets, and undoes it. */

import { type RawBuilder, sql } from 'kysely';
import type { EarlyCheckInOutcome } from '#domain/early-check-in.ts';
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
  /** Handed out; doesn't admit. */
  isAddOn: boolean;
  state: TicketState;
  scannedAt: Date | null;
  scannedBy: string | null;
  scanId: string | null;
  disputedAt: Date | null;
  cancelledAt: Date | null;
  timezone: string;
  /** Check-in hours; null without. */
  opensAt: Date | null;
  closesAt: Date | null;
  now: Date;
  /** Its event has notes, or answers that are shown at the door. */
  hasDoorNotes: boolean;
}

export type AdmitResult =
  | ({ isAdmitted: true } & Pick<ScannedTicket, 'ticketName' | 'isAddOn' | 'hasDoorNotes'>)
  | ({ isAdmitted: false } & ScannedTicket);

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
  const since = sql`business_now() - make_interval(secs => ${withinSeconds})`;
  return (await undoAdmissions(tx, { eventId, ticketIds: [ticketId], since, outcome: 'undone-at-door' })).length === 1;
}

interface Undo {
  eventId: string;
  ticketIds: readonly string[];
  /** Check-ins before it stand. */
  since: RawBuilder<unknown>;
  /** How an early check-in of such a ticket ends. */
  outcome: EarlyCheckInOutcome;
}

/** Returns the ids of the tickets that are valid again. The caller holds their locks. */
export async function undoAdmissions(tx: Db, { eventId, ticketIds, since, outcome }: Undo): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with admitted as (
      select id, scanned_at from tickets
       where event_id = ${eventId} and id = any (${ticketIds}::uuid[]) and state = 'scanned' and scanned_at >= ${since}
    ), ended as (
      update early_check_ins c
         set outcome = ${outcome}, ended_at = business_now()
        from admitted a
       where c.event_id = ${eventId} and c.ticket_id = a.id and c.scanned_at = a.scanned_at and c.ended_at is null
    ), undone as (
      insert into undone_check_ins (event_id, ticket_id, scanned_at, undone_at)
      select ${eventId}, id, scanned_at, business_now() from admitted
          on conflict do nothing
    )
    update tickets t
       set state = 'valid', scanned_at = null, scanned_by = null, scan_id = null
      from admitted a
     where t.event_id = ${eventId} and t.id = a.id
    returning t.id`.execute(tx);
  return rows.map(({ id }) => id);
}
