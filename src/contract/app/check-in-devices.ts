/** What a device at the door keeps to work without a network, and what it hands in when it is back. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { sentence } from '#contract/messages/requests.ts';
import { SCANS_PER_SYNC_MAX } from '#domain/limits.ts';

const instant = z.int();

/**
 * The list of an event's tickets, or what has changed of it since `upTo`. Each ticket is twelve bytes, in no order: six that
 * name it within the list, four of the hash of its number (`src/domain/offline-list.ts`), one that is its type's place in
 * `ticketTypes`, one its state's place in `listStates`.
 */
export const offlineTicketList = endpoint({
  method: 'POST',
  path: '/api/public/offline-list',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    /** `edition` and `upTo` of the last reply; without them the whole list comes. */
    have: z.optional(
      z.object({ edition: z.string().check(z.maxLength(100)), upTo: z.string().check(z.maxLength(30)) }),
    ),
    /** Scans that this device has not handed in yet. */
    pending: z.int().check(z.gte(0), z.lte(1_000_000)),
  }),
  reply: z.object({
    edition: z.string(),
    upTo: z.string(),
    /** Everything the device had is out of date. */
    isWhole: z.boolean(),
    title: z.string(),
    timezone: z.string(),
    isCancelled: z.boolean(),
    salt: z.string(),
    bits: z.int(),
    ticketTypes: z.array(z.string()),
    /** Base 64. */
    tickets: z.string(),
    /** By the places of `ticketTypes`: tickets that are good or in, and those that are in. */
    counts: z.array(z.object({ sold: z.int(), admitted: z.int() })),
    device: z.object({ id: z.string(), name: z.string(), admitted: z.int() }),
    /** Milliseconds since 1970, by the server's clock; `null` for the organizer, whose session has its own end. */
    grantEndsAt: z.nullable(instant),
    now: instant,
  }),
});

/** Such an event is checked in with a network only. */
export const tooManyForList = 'This event has too many tickets for offline check-in.';

export const listStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;
export type ListState = (typeof listStates)[number];

/** What a device says that decides by its list. `when` and `where` as in `alreadyScanned`. */
export function admittedOffline(ticketName: string): string {
  return `Let them in · saved offline: ${ticketName}.`;
}
/** The list says that a ticket is in, not since when. */
export const alreadyInByList = 'Already scanned.';

export function notOnList(when: string): string {
  return `Not on this phone's list. It may have sold after ${when}. Ask your lead.`;
}
export const grantOver = 'Your shift timed out. Enter the code again.';
export const noListYet =
  "You're offline, and this phone hasn't saved the ticket list yet. Connect once to open the scanner.";

export function scansWait(scans: number): string {
  return scans === 1
    ? "1 scan hasn't synced. Enter the attendant code to sync it."
    : `${scans} scans haven't synced. Enter the attendant code to sync them.`;
}

/** How often a device that is online asks for news. */
export const LIST_EVERY_MS = 5_000;

export const offlineScan = z.object({
  scanId: z.uuid(),
  confirmationNumber: z.string().check(z.regex(/^[1-9]\d{9}$/)),
  /** Milliseconds since 1970, by the server's clock as the device knows it. */
  at: instant,
});
export type OfflineScan = z.infer<typeof offlineScan>;

/**
 * What a scan that was decided without the server turned out to be. `first`: the guest came in by it. `again`: this device
 * had let the same ticket in before. `double`: another device had. The others were not good by then, or are no ticket.
 */
export const scanResults = ['first', 'again', 'double', 'refunded', 'cancelled', 'disputed', 'unknown'] as const;
export type ScanResult = (typeof scanResults)[number];

/** Safe to repeat: a scan that was handed in before is answered as it was then. */
export const syncScans = endpoint({
  method: 'POST',
  path: '/api/public/sync-scans',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    scans: z.array(offlineScan).check(z.minLength(1), z.maxLength(SCANS_PER_SYNC_MAX)),
  }),
  reply: z.object({ results: z.array(z.object({ scanId: z.string(), result: z.enum(scanResults) })) }),
});

/** For the attendant, who can no longer change it: what the scans that were handed in turned out to be. */
export function syncNotes(results: readonly ScanResult[], setAside: number): string[] {
  const elsewhere = results.filter((result) => result === 'double').length;
  const unknown = results.filter((result) => result === 'unknown').length;
  const notGood = results.filter((result) => ['refunded', 'cancelled', 'disputed'].includes(result)).length;
  const notes: [count: number, one: string, several: string][] = [
    [elsewhere, 'had already been scanned elsewhere', 'had already been scanned elsewhere'],
    [notGood, 'had a ticket that was no longer valid', 'had tickets that were no longer valid'],
    [unknown, 'had no ticket for this event', 'had no ticket for this event'],
    [setAside, "couldn't be synced", "couldn't be synced"],
  ];
  return notes
    .filter(([count]) => count > 0)
    .map(([count, one, several]) => `${count} offline ${count === 1 ? `scan ${one}` : `scans ${several}`}.`);
}

export const undoCheckIn = endpoint({
  method: 'POST',
  path: '/api/public/undo-check-in',
  access: 'attendant',
  input: z.object({ eventId: z.string(), scanId: z.uuid() }),
  reply: sentence,
});
export const checkInUndone = 'Check-in undone. The ticket is valid again.';
export const tooLateToUndo = "It's too late to undo this check-in.";

/** For a code that does not scan: the status of tickets whose numbers end in these digits. Admits no one. */
export const findTickets = endpoint({
  method: 'POST',
  path: '/api/public/find-tickets',
  access: 'attendant',
  input: z.object({ eventId: z.string(), lastDigits: z.string().check(z.regex(/^\d{4}$/, 'Enter the last 4 digits')) }),
  reply: z.object({
    tickets: z.array(
      z.object({
        ticketName: z.string(),
        state: z.enum(listStates),
        scannedAt: z.nullable(instant),
        scannedBy: z.nullable(z.string()),
      }),
    ),
    isMore: z.boolean(),
  }),
});

/** Ends this device's grant. */
export const endShift = endpoint({
  method: 'POST',
  path: '/api/public/leave-door',
  access: 'attendant',
  input: z.object({ eventId: z.string() }),
  reply: sentence,
});
export const shiftEnded = 'Shift ended.';

/** How it goes at the doors of an event, for its organizer. */
export const checkInDashboard = endpoint({
  method: 'GET',
  path: '/api/protected/door-view/:eventId',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    attendantCode: z.string(),
    counts: z.array(z.object({ ticketName: z.string(), sold: z.int(), admitted: z.int() })),
    /** The last first. */
    devices: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        enteredAt: instant,
        seenAt: instant,
        lastScanAt: z.nullable(instant),
        admitted: z.int(),
        pending: z.int(),
        state: z.enum(['open', 'removed', 'ended']),
      }),
    ),
    /** Admissions in each five minutes in which there were some. */
    arrivals: z.array(z.object({ from: instant, admitted: z.int() })),
    /** Offline scans that admitted a guest with an invalid ticket, the latest first. */
    conflicts: z.array(
      z.object({
        result: z.enum(['double', 'refunded', 'cancelled', 'disputed', 'unknown']),
        ticketName: z.nullable(z.string()),
        confirmationNumber: z.nullable(z.string()),
        at: instant,
        device: z.string(),
        /** Of the admission that counts. */
        firstAt: z.nullable(instant),
        firstDevice: z.nullable(z.string()),
      }),
    ),
    now: instant,
  }),
});

export const removeDevice = endpoint({
  method: 'POST',
  path: '/api/protected/remove-check-in-device',
  access: 'organizer',
  input: z.object({ eventId: z.string(), deviceId: z.uuid() }),
  reply: sentence,
});
export const deviceRemoved = 'Device removed. It needs the attendant code to check in guests again.';
export const deviceNotFound = "This device isn't checking in guests for this event.";
export const ownBrowserStays = 'This is your own browser, signed in without a code. To end its access, log out there.';

export function admittedTwice(tickets: number): string {
  return tickets === 1 ? '1 ticket was admitted twice.' : `${tickets} tickets were admitted twice.`;
}
