import type { ScanOutcome } from '#contract/door.ts';
import type { TicketAtHandIn } from './scans.sql.ts';

interface Scan {
  scanId: string;
  deviceId: string;
  isCancelled: boolean;
}

/** What a scan without the server turns out to be, by its ticket as it stands now. Nobody is sent out again: it only says so. */
export function outcomeOfScan(ticket: TicketAtHandIn | undefined, scan: Scan): ScanOutcome {
  if (!ticket) return 'unknown';
  // The server had let the guest in by this very scan, and the answer was lost.
  if (ticket.scanId === scan.scanId) return 'first';
  if (ticket.state === 'scanned') return ticket.scannedBy === scan.deviceId ? 'again' : 'double';
  if (scan.isCancelled) return 'cancelled';
  if (ticket.state !== 'valid') return 'refunded';
  return ticket.disputedAt ? 'disputed' : 'first';
}
