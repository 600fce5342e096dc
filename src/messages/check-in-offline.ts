/** Check-in without a network: what the device decides by its list, and the sync. */
import type { ScanResult } from '#contract/app/check-in-devices.ts';
import { type PluralForms, plural } from './format.ts';

/** Result of an offline check. */
export function admittedOffline(ticketName: string): string {
  return `Let them in · saved offline: ${ticketName}.`;
}
export function handOutOffline(name: string): string {
  return `Hand out · saved offline: ${name}.`;
}
export const alreadyHandedOutOffline = 'Already handed out.';
/** The offline list does not include the time of the first scan. */
export const alreadyScannedOffline = 'Already scanned.';

export function notOnList(when: string): string {
  return `Not on this phone's list. It may have sold after ${when}. Ask your lead.`;
}
export const grantExpired = 'Your shift timed out. Enter the code again.';
export const offlineListMissing =
  "You're offline, and this phone hasn't saved the ticket list yet. Connect once to open the scanner.";

export function unsyncedScans(scans: number): string {
  return plural(scans, {
    one: "# scan hasn't synced. Enter the attendant code to sync it.",
    other: "# scans haven't synced. Enter the attendant code to sync them.",
  });
}

/** Shown below an offline result. `failure` is why the server did not decide. */
export function decidedByDevice(failure: string): string {
  return `${failure} Checked against this phone's list.`;
}

/** Summarizes a sync for the attendant. `rejected` counts scans that the server did not accept. */
export function syncNotes(results: readonly ScanResult[], rejected: number): string[] {
  const elsewhere = results.filter((result) => result === 'double').length;
  const unknown = results.filter((result) => result === 'unknown').length;
  const invalid = results.filter((result) =>
    ['refunded', 'cancelled', 'disputed', 'transferred'].includes(result),
  ).length;
  const outside = results.filter((result) => result === 'outside-hours').length;
  const notes: [count: number, forms: PluralForms][] = [
    [
      elsewhere,
      {
        one: '# ticket scanned offline had already been scanned elsewhere.',
        other: '# tickets scanned offline had already been scanned elsewhere.',
      },
    ],
    [
      invalid,
      {
        one: '# ticket scanned offline was no longer valid.',
        other: '# tickets scanned offline were no longer valid.',
      },
    ],
    [
      outside,
      {
        one: '# ticket was scanned offline outside check-in hours.',
        other: '# tickets were scanned offline outside check-in hours.',
      },
    ],
    [
      unknown,
      {
        one: "# code scanned offline wasn't a ticket for this event.",
        other: "# codes scanned offline weren't tickets for this event.",
      },
    ],
    [rejected, { one: "# offline scan couldn't be synced.", other: "# offline scans couldn't be synced." }],
  ];
  return notes.filter(([count]) => count > 0).map(([count, forms]) => plural(count, forms));
}

/** Asked before the scans that exist only in this browser are lost. */
export function unsyncedScansLost(scans: number): string {
  return plural(scans, {
    one: "# check-in made offline in this browser hasn't synced. If you continue, it's lost.",
    other: "# check-ins made offline in this browser haven't synced. If you continue, they're lost.",
  });
}

export const endShiftMessages = {
  unsynced: (scans: number) =>
    plural(scans, {
      one: "# scan hasn't synced. Leave now and it's lost. Stay and it'll sync when you're back online.",
      other: "# scans haven't synced. Leave now and they're lost. Stay and they'll sync when you're back online.",
    }),
  discard: (scans: number) =>
    plural(scans, { one: 'Discard # scan and end shift', other: 'Discard # scans and end shift' }),
};
