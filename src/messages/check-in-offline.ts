/** Check-in without a network: what the device decides by its list, and the sync. */
import type { ScanResult } from '#contract/app/check-in-devices.ts';

export const tooManyForList = 'This event has too many tickets for offline check-in.';

/** Result of an offline check. */
export function admittedOffline(ticketName: string): string {
  return `Let them in · saved offline: ${ticketName}.`;
}
/** The offline list does not include the time of the first scan. */
export const alreadyScannedOffline = 'Already scanned.';

export function notOnList(when: string): string {
  return `Not on this phone's list. It may have sold after ${when}. Ask your lead.`;
}
export const grantExpired = 'Your shift timed out. Enter the code again.';
export const offlineListMissing =
  "You're offline, and this phone hasn't saved the ticket list yet. Connect once to open the scanner.";

export function unsyncedScans(scans: number): string {
  return scans === 1
    ? "1 scan hasn't synced. Enter the attendant code to sync it."
    : `${scans} scans haven't synced. Enter the attendant code to sync them.`;
}

/** Shown below an offline result. `failure` is why the server did not decide. */
export function decidedByDevice(failure: string): string {
  return `${failure} Decided by the list on this phone.`;
}

/** Summarizes a sync for the attendant. `rejected` counts scans that the server did not accept. */
export function syncNotes(results: readonly ScanResult[], rejected: number): string[] {
  const elsewhere = results.filter((result) => result === 'double').length;
  const unknown = results.filter((result) => result === 'unknown').length;
  const invalid = results.filter((result) => ['refunded', 'cancelled', 'disputed'].includes(result)).length;
  const notes: [count: number, one: string, several: string][] = [
    [elsewhere, 'had already been scanned elsewhere', 'had already been scanned elsewhere'],
    [invalid, 'had a ticket that was no longer valid', 'had tickets that were no longer valid'],
    [unknown, 'had no ticket for this event', 'had no ticket for this event'],
    [rejected, "couldn't be synced", "couldn't be synced"],
  ];
  return notes
    .filter(([count]) => count > 0)
    .map(([count, one, several]) => `${count} offline ${count === 1 ? `scan ${one}` : `scans ${several}`}.`);
}
