/** Check-in devices: the offline ticket list, sync, and the organizer's dashboard. */
import * as z from 'zod/mini';
import { endpoint, type ReplyOf } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { messageReply } from '#contract/message-reply.ts';
import { SCANS_PER_SYNC_MAX } from '#domain/limits.ts';

const instant = z.int();

/**
 * Returns the event's tickets, or the changes since `upTo`. Each ticket is twelve bytes: six identify it within the
 * list, four are a hash of its number (`src/domain/offline-list.ts`), one is an index into `ticketTypes`, and one an
 * index into `listStates`. The order has no meaning.
 */
export const offlineTicketList = endpoint({
  method: 'POST',
  path: '/api/public/offline-list',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    /** `edition` and `upTo` of the last reply. Omit for the complete list. */
    have: z.optional(
      z.object({ edition: z.string().check(z.maxLength(100)), upTo: z.string().check(z.maxLength(30)) }),
    ),
    /** Number of scans that this device has not synced. */
    pending: z.int().check(z.gte(0), z.lte(1_000_000)),
  }),
  reply: z.object({
    edition: z.string(),
    upTo: z.string(),
    /** The list replaces the device's; otherwise it contains changes. */
    isWhole: z.boolean(),
    title: z.string(),
    timezone: z.string(),
    isCancelled: z.boolean(),
    /** Check-in hours in Unix milliseconds; null without. */
    opensAt: z.nullable(instant),
    closesAt: z.nullable(instant),
    salt: z.string(),
    bits: z.int(),
    ticketTypes: z.array(z.string()),
    /** Those of them that are handed out and don't admit. */
    addOns: z.array(z.int()),
    /** Base64. */
    tickets: z.string(),
    /** In the order of `ticketTypes`. `sold` includes admitted tickets. */
    counts: z.array(z.object({ sold: z.int(), admitted: z.int() })),
    device: z.object({ id: z.string(), name: z.string(), admitted: z.int() }),
    /** Unix milliseconds on the server's clock. Null for the organizer, whose access ends with the session. */
    grantEndsAt: z.nullable(instant),
    now: instant,
  }),
});

export const listStates = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'] as const;
export type ListState = (typeof listStates)[number];

/** Poll interval of an online device. */
export const LIST_POLL_MS = 5_000;

export const offlineScan = z.object({
  scanId: z.uuid(),
  confirmationNumber: z.string().check(z.regex(/^[1-9]\d{9}$/)),
  /** Unix milliseconds on the server's clock, as estimated by the device. */
  at: instant,
});
export type OfflineScan = z.infer<typeof offlineScan>;

/**
 * Result of an offline scan after its sync. `first`: the scan that admitted the ticket. `again`: a repeat on the same
 * device. `double`: another device was first. The other results mean that the ticket was invalid or unknown.
 */
export const scanResults = [
  'first',
  'again',
  'double',
  'refunded',
  'cancelled',
  'disputed',
  'transferred',
  'outside-hours',
  'unknown',
] as const;
export type ScanResult = (typeof scanResults)[number];

/** Idempotent: a scan that was already synced gets the same result. */
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

export const undoCheckIn = endpoint({
  method: 'POST',
  path: '/api/public/undo-check-in',
  access: 'attendant',
  input: z.object({ eventId: z.string(), scanId: z.uuid() }),
  reply: messageReply,
});
/** Looks up tickets by the last four digits, for a code that does not scan. Read-only. */
export const findTickets = endpoint({
  method: 'POST',
  path: '/api/public/find-tickets',
  access: 'attendant',
  input: z.object({
    eventId: z.string(),
    lastDigits: z.string().check(z.regex(/^\d{4}$/, because('last-digits.invalid'))),
  }),
  reply: z.object({
    tickets: z.array(
      z.object({
        ticketName: z.string(),
        isAddOn: z.boolean(),
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
  reply: messageReply,
});
/** Live check-in status of an event, for its organizer. */
export const checkInDashboard = endpoint({
  method: 'GET',
  path: '/api/protected/door-view/:eventId',
  access: 'organizer',
  input: z.object({ eventId: z.string() }),
  reply: z.object({
    title: z.string(),
    timezone: z.string(),
    attendantCode: z.string(),
    counts: z.array(z.object({ ticketName: z.string(), isAddOn: z.boolean(), sold: z.int(), admitted: z.int() })),
    /** Newest first. */
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
        /** Of a member, who entered no code and can't be removed here. */
        isMember: z.boolean(),
      }),
    ),
    /** Admissions in five-minute intervals, without add-ons. Empty intervals are omitted. */
    arrivals: z.array(z.object({ from: instant, admitted: z.int() })),
    /** Offline scans that admitted a guest, or handed something out, with an invalid ticket; newest first. */
    conflicts: z.array(
      z.object({
        result: z.enum(['double', 'refunded', 'cancelled', 'disputed', 'transferred', 'outside-hours', 'unknown']),
        ticketName: z.nullable(z.string()),
        isAddOn: z.boolean(),
        confirmationNumber: z.nullable(z.string()),
        at: instant,
        device: z.string(),
        /** The scan that admitted the ticket. */
        firstAt: z.nullable(instant),
        firstDevice: z.nullable(z.string()),
      }),
    ),
    now: instant,
  }),
});

export type CheckInDashboard = ReplyOf<typeof checkInDashboard>;
export type CheckInDevice = CheckInDashboard['devices'][number];
export type SyncConflict = CheckInDashboard['conflicts'][number];

export const removeDevice = endpoint({
  method: 'POST',
  path: '/api/protected/remove-check-in-device',
  access: 'organizer',
  input: z.object({ eventId: z.string(), deviceId: z.uuid() }),
  reply: messageReply,
});
