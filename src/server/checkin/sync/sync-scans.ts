/** What a device decided without the server is put on record, once, and said how it turned out. */
import type { OfflineScan, ScanResult } from '#contract/door.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Attendant } from '#server/platform/http/callers.ts';
import { consumeLimit, countFailures, takeSlot } from '#server/platform/rate-limit.ts';
import {
  admitByScans,
  countUnknown,
  type JudgedScan,
  lockEventForSync,
  lockScannedTickets,
  recordedResults,
  recordScans,
  type SyncedTicket,
} from './scans.sql.ts';

/**
 * Never refuses the past: who came in is in. Safe to repeat, also at the same instant: a scan is judged once, and answered so ever
 * after.
 */
export async function syncScans(
  { db, tries }: Pick<Deps, 'db' | 'tries'>,
  attendant: Attendant,
  handedIn: readonly OfflineScan[],
): Promise<{ outcomes: { scanId: string; outcome: ScanResult }[] }> {
  const scans = handedIn.map((scan) => ({ ...scan, scanId: scan.scanId.toLowerCase() }));
  await consumeLimit(tries, 'hand-in', attendant.grantId);
  // As at a check: whoever tries out numbers is slowed, and this is no way around it.
  const guess = { budget: 'door-code', key: attendant.grantId } as const;
  await takeSlot(tries, [guess]);
  await countFailures(tries, guess, await countUnknown(db, attendant.eventId, scans));
  const outcomes = await inTransaction(db, (tx) => judgeOnce(tx, attendant, scans));
  return { outcomes: handedIn.map(({ scanId }) => ({ scanId, outcome: resultIn(outcomes, scanId) })) };
}

function resultIn(outcomes: ReadonlyMap<string, ScanResult>, scanId: string): ScanResult {
  const outcome = outcomes.get(scanId.toLowerCase());
  if (!outcome) throw new Error('a scan was handed in and is not on record');
  return outcome;
}

async function judgeOnce(tx: Db, attendant: Attendant, scans: readonly OfflineScan[]) {
  const { eventId } = attendant;
  const scanIds = scans.map(({ scanId }) => scanId);
  const event = await lockEventForSync(tx, eventId);
  const tickets = await lockScannedTickets(tx, eventId, [...new Set(scans.map((scan) => scan.confirmationNumber))]);
  const known = await recordedResults(tx, eventId, scanIds);
  const judged = judge(
    scans.filter(({ scanId }) => !known.has(scanId)),
    tickets,
    { deviceId: attendant.grantId, isCancelled: event.cancelledAt !== null, now: event.now },
  );
  if (judged.length === 0) return known;

  const recorded = await recordScans(tx, attendant, judged);
  // Of a number that nobody has, no ticket is held: somebody may have handed in the same scan meanwhile.
  await admitByScans(
    tx,
    attendant,
    judged.filter(({ scanId, outcome }) => outcome === 'first' && recorded.has(scanId)),
  );
  return recordedResults(tx, eventId, scanIds);
}

interface SyncingDevice {
  deviceId: string;
  isCancelled: boolean;
  now: Date;
}

/** In the order in which they were made, each by what the ones before it left. */
function judge(scans: readonly OfflineScan[], held: readonly SyncedTicket[], door: SyncingDevice): JudgedScan[] {
  const tickets = new Map(held.map((ticket) => [ticket.confirmationNumber, ticket]));
  const judged = new Map<string, JudgedScan>();
  for (const { scanId, confirmationNumber, at } of scans.toSorted((a, b) => a.at - b.at)) {
    if (judged.has(scanId)) continue;
    const ticket = tickets.get(confirmationNumber);
    const outcome = resultOfScan(ticket, { scanId, ...door });
    if (ticket && outcome === 'first')
      tickets.set(confirmationNumber, { ...ticket, state: 'scanned', scannedBy: door.deviceId, scanId });
    judged.set(scanId, { scanId, ticketId: ticket?.id ?? null, at: notLater(at, door.now), outcome });
  }
  return [...judged.values()];
}

/** A device's clock may say anything. */
const notLater = (at: number, now: Date) => new Date(Math.min(Math.max(at, 0), now.getTime()));

interface Scan {
  scanId: string;
  deviceId: string;
  isCancelled: boolean;
}

/** What a scan without the server turns out to be, by its ticket as it stands now. Nobody is sent out again: it only says so. */
function resultOfScan(ticket: SyncedTicket | undefined, scan: Scan): ScanResult {
  if (!ticket) return 'unknown';
  // The server had let the guest in by this very scan, and the answer was lost.
  if (ticket.scanId === scan.scanId) return 'first';
  if (ticket.state === 'scanned') return ticket.scannedBy === scan.deviceId ? 'again' : 'double';
  if (scan.isCancelled) return 'cancelled';
  if (ticket.state !== 'valid') return 'refunded';
  return ticket.disputedAt ? 'disputed' : 'first';
}
