/** What a device saves for check-in, so that it survives a reload and a restart. The field names are stored: keep them. */
import * as z from 'zod/mini';

const savedList = z.object({
  edition: z.string(),
  upTo: z.string(),
  salt: z.string(),
  bits: z.int(),
  title: z.string(),
  timezone: z.string(),
  isCancelled: z.boolean(),
  /** A list saved by an earlier version has no hours. */
  opensAt: z._default(z.nullable(z.int()), null),
  closesAt: z._default(z.nullable(z.int()), null),
  ticketTypes: z.array(z.string()),
  /** A list saved by an earlier version has none. */
  addOns: z._default(z.array(z.int()), []),
  counts: z.array(z.object({ sold: z.int(), admitted: z.int() })),
  device: z.object({ id: z.string(), name: z.string(), admitted: z.int() }),
  grantEndsAt: z.nullable(z.int()),
  /** When the list was read, by the server's clock; `askedAt` is when this device asked for it, by its own clock. */
  from: z.int(),
  askedAt: z.int(),
});

export const savedSession = z.object({
  eventId: z.string(),
  title: z.nullable(z.string()),
  /** By this device's clock, like every time here that does not come from the server. */
  openedAt: z.int(),
  /** How far the server's clock is ahead of this device's. */
  aheadMs: z.int(),
  /** `null` before the first list. */
  list: z.nullable(savedList),
});
export type SavedSession = z.infer<typeof savedSession>;

/** One admission by this device; at most one per ticket. */
export const savedScan = z.object({
  eventId: z.string(),
  ticketKey: z.int(),
  scanId: z.string(),
  /** By the server's clock, as estimated by this device. */
  at: z.int(),
  /** Cleared after the sync. */
  confirmationNumber: z.nullable(z.string()),
  /** The request was sent and got no answer, so it may have reached the server. */
  wasSent: z.boolean(),
  /** When the scan synced. */
  knownAt: z.nullable(z.int()),
});
export type SavedScan = z.infer<typeof savedScan>;
export type PendingScan = SavedScan & { confirmationNumber: string };

export function isPending(scan: SavedScan): scan is PendingScan {
  return scan.confirmationNumber !== null;
}

/** The server caches an event's tickets for all devices for a few seconds, so a list can be this old. */
const LIST_LAG_MS = 10_000;

/** Whether the list may have been read before the server had this scan. */
export function isNewerThan(scan: SavedScan, list: { askedAt: number } | null | undefined): boolean {
  return scan.knownAt === null || !list || scan.knownAt >= list.askedAt - LIST_LAG_MS;
}

export interface SavedEvent {
  session: SavedSession | null;
  tickets: Uint8Array | null;
  scans: SavedScan[];
}

export interface OfflineStore {
  read(eventId: string): Promise<SavedEvent>;
  /** Reads only what another tab may have changed. */
  peek(eventId: string): Promise<{ isOpen: boolean; scans: SavedScan[] }>;
  /** Every event with saved data, the last opened first. */
  sessions(): Promise<{ eventId: string; session: SavedSession | null }[]>;
  /** `tickets` is `null` if they have not changed. */
  saveSession(session: SavedSession, tickets: Uint8Array | null): Promise<void>;
  /** Saves this scan, or returns the earlier one if another tab was first. */
  claim(scan: SavedScan, list: { askedAt: number } | null): Promise<SavedScan | null>;
  /** Marks scans as received by the server. */
  markSynced(eventId: string, scanIds: readonly string[], knownAt: number): Promise<void>;
  deleteScans(eventId: string, scanIds: readonly string[]): Promise<void>;
  /** Deletes an event's data; pending scans only with `includePending`. */
  clear(eventId: string, includePending: boolean): Promise<void>;
  /** Runs syncs and undos of one event one at a time, across tabs. */
  withLock<Result>(eventId: string, work: () => Promise<Result>): Promise<Result>;
  /** Calls `listener` when another tab changes this event's data. Returns a cleanup function. */
  onChange(eventId: string, listener: () => void): () => void;
}
