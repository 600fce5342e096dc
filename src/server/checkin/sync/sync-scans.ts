/** Records scans that a device decided offline, and returns the result of each. */
import type { OfflineScan, ScanResult } from '#contract/app/check-in-devices.ts';
import { type CheckInHours, type ClosedDenial, checkInHours, denyScan } from '#domain/check-in-hours.ts';
import { type AdmissionDenial } from '#domain/tickets.ts';
import { admitTickets } from '#server/orders/core/admit.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { consumeLimit, countFailures, takeSlot } from '#server/platform/rate-limit.ts';
import {
  countUnknownTickets,
  type EvaluatedScan,
  formerTickets,
  lockEventForSync,
  lockScannedTickets,
  recordedResults,
  recordScans,
  type SyncedTicket,
} from './scans.sql.ts';

/**
 * Never rejects a past scan, because the guest is already in. Idempotent by `scanId`, also for concurrent requests: a
 * scan is evaluated once, and repeats return the recorded result.
 */
export async function syncScans(
  { db, rateLimiter }: Pick<Deps, 'db' | 'rateLimiter'>,
  attendant: Attendant,
  submitted: readonly OfflineScan[],
): Promise<{ results: { scanId: string; result: ScanResult }[] }> {
  const scans = submitted.map((scan) => ({ ...scan, scanId: scan.scanId.toLowerCase() }));
  await consumeLimit(rateLimiter, 'sync-scans', attendant.deviceId);
  // Shares its limit with online check-ins, so that syncing cannot be used to try numbers faster.
  const attempt = { limit: 'check-in-code', key: attendant.deviceId } as const;
  await takeSlot(rateLimiter, [attempt]);
  await countFailures(rateLimiter, attempt, await countUnknownTickets(db, attendant.eventId, scans));
  const results = await inTransaction(db, (tx) => recordOnce(tx, attendant, scans));
  return { results: submitted.map(({ scanId }) => ({ scanId, result: resultIn(results, scanId) })) };
}

function resultIn(results: ReadonlyMap<string, ScanResult>, scanId: string): ScanResult {
  const result = results.get(scanId.toLowerCase());
  if (!result) throw new Error('a synced scan has no recorded result');
  return result;
}

async function recordOnce(tx: Db, attendant: Attendant, scans: readonly OfflineScan[]) {
  const { eventId } = attendant;
  const scanIds = scans.map(({ scanId }) => scanId);
  const event = await lockEventForSync(tx, eventId);
  const numbers = [...new Set(scans.map((scan) => scan.confirmationNumber))];
  const tickets = await lockScannedTickets(tx, eventId, numbers);
  const transferred = await formerTickets(tx, eventId, numbers);
  const known = await recordedResults(tx, eventId, scanIds);
  const evaluated = evaluateScans(
    scans.filter(({ scanId }) => !known.has(scanId)),
    tickets,
    {
      deviceId: attendant.deviceId,
      hours: checkInHours(event),
      cancelledAt: event.cancelledAt,
      now: event.now,
      transferred,
    },
  );
  if (evaluated.length === 0) return known;

  const recorded = await recordScans(tx, attendant, evaluated);
  // Scans of unknown numbers lock no ticket, so a concurrent request may have recorded the same scan.
  const admitting = evaluated.filter(({ scanId, result }) => result === 'first' && recorded.has(scanId));
  await admitTickets(
    tx,
    admitting.map(({ scanId, confirmationNumber, at }) => ({
      eventId,
      confirmationNumber,
      scannedBy: attendant.deviceId,
      scanId,
      at,
    })),
    { waits: true },
  );
  return recordedResults(tx, eventId, scanIds);
}

interface SyncContext {
  deviceId: string;
  hours: CheckInHours;
  cancelledAt: Date | null;
  now: Date;
  /** Tickets by a number that they had before. */
  transferred: ReadonlyMap<string, string>;
}

/** Evaluates scans in chronological order, each against the state that the previous ones left. */
function evaluateScans(
  scans: readonly OfflineScan[],
  lockedTickets: readonly SyncedTicket[],
  device: SyncContext,
): EvaluatedScan[] {
  const tickets = new Map(lockedTickets.map((ticket) => [ticket.confirmationNumber, ticket]));
  const evaluated = new Map<string, EvaluatedScan>();
  for (const { scanId, confirmationNumber, at } of scans.toSorted((a, b) => a.at - b.at)) {
    if (evaluated.has(scanId)) continue;
    const ticket = tickets.get(confirmationNumber);
    const scannedAt = plausibleTime(at, ticket?.issuedAt ?? new Date(0), device.now);
    const formerTicket = ticket ? undefined : device.transferred.get(confirmationNumber);
    const result = formerTicket ? 'transferred' : resultOfScan(ticket, { scanId, scannedAt, ...device });
    if (ticket && result === 'first')
      tickets.set(confirmationNumber, { ...ticket, state: 'scanned', scannedBy: device.deviceId, scanId });
    const ticketId = ticket?.id ?? formerTicket ?? null;
    evaluated.set(scanId, { scanId, confirmationNumber, ticketId, at: scannedAt, result });
  }
  return [...evaluated.values()];
}

/** A device's clock may be wrong: a guest came in after the ticket was sold, and not in the future. */
const plausibleTime = (at: number, issuedAt: Date, now: Date) =>
  new Date(Math.max(Math.min(at, now.getTime()), issuedAt.getTime()));

interface ScanContext {
  scanId: string;
  scannedAt: Date;
  deviceId: string;
  hours: CheckInHours;
  cancelledAt: Date | null;
}

/** The guest is in already, so the reason only tells the organizer why the ticket should not have been accepted. */
const OFFLINE_RESULTS: Record<AdmissionDenial | ClosedDenial, ScanResult> = {
  'not-open': 'outside-hours',
  closed: 'outside-hours',
  'event-cancelled': 'cancelled',
  refunding: 'refunded',
  refunded: 'refunded',
  void: 'refunded',
  disputed: 'disputed',
  'already-in': 'double',
};

/** The result of an offline scan, by the ticket's current state. It only reports: the guest is already in. */
function resultOfScan(ticket: SyncedTicket | undefined, scan: ScanContext): ScanResult {
  if (!ticket) return 'unknown';
  // The server admitted the guest by this scan, but the response was lost.
  if (ticket.scanId === scan.scanId) return 'first';
  if (ticket.state === 'scanned') return ticket.scannedBy === scan.deviceId ? 'again' : 'double';
  const denial = denyScan({ ...ticket, cancelledAt: scan.cancelledAt }, scan.hours, scan.scannedAt);
  return denial === null ? 'first' : OFFLINE_RESULTS[denial];
}
