/** What a device keeps of a door, so that it outlives a reload and a restart. */
import * as z from 'zod/mini';

const listFacts = z.object({
  edition: z.string(),
  upTo: z.string(),
  salt: z.string(),
  bits: z.int(),
  title: z.string(),
  timezone: z.string(),
  isCancelled: z.boolean(),
  ticketTypes: z.array(z.string()),
  counts: z.array(z.object({ sold: z.int(), admitted: z.int() })),
  device: z.object({ id: z.string(), name: z.string(), admitted: z.int() }),
  grantEndsAt: z.nullable(z.int()),
  /** Of when it is, by the server's clock, and when this device asked for it, by its own. */
  from: z.int(),
  askedAt: z.int(),
});

export const keptDoor = z.object({
  eventId: z.string(),
  title: z.nullable(z.string()),
  /** By this device's clock, as everything here but what the server said. */
  openedAt: z.int(),
  /** How far the server's clock is ahead. */
  aheadMs: z.int(),
  /** What came with the list; `null` before there is one. */
  list: z.nullable(listFacts),
});
export type KeptDoor = z.infer<typeof keptDoor>;

/** One admission by this device. There is at most one for each ticket of the list. */
export const keptScan = z.object({
  eventId: z.string(),
  ticketKey: z.int(),
  scanId: z.string(),
  /** By the server's clock, as far as this device knows it. */
  at: z.int(),
  /** Gone once the server knows of the scan. */
  confirmationNumber: z.nullable(z.string()),
  /** The server may have heard of it: its answer did not come in time. */
  wasSent: z.boolean(),
  /** Since when the server is known to know. */
  knownAt: z.nullable(z.int()),
});
export type KeptScan = z.infer<typeof keptScan>;
export type WaitingScan = KeptScan & { confirmationNumber: string };

export function isWaiting(scan: KeptScan): scan is WaitingScan {
  return scan.confirmationNumber !== null;
}

/** The server reads an event's tickets for all its devices at once, and answers by such a reading for some seconds. */
const LIST_LAG_MS = 10_000;

/** Whether it counts more than the list does, which may have been read before the server knew of it. */
export function isAheadOf(scan: KeptScan, list: { askedAt: number } | null | undefined): boolean {
  return scan.knownAt === null || !list || scan.knownAt >= list.askedAt - LIST_LAG_MS;
}

export interface KeptEvent {
  door: KeptDoor | null;
  tickets: Uint8Array | null;
  scans: KeptScan[];
}

export interface DoorStore {
  read(eventId: string): Promise<KeptEvent>;
  /** What another tab may have changed. */
  glance(eventId: string): Promise<{ isOpen: boolean; scans: KeptScan[] }>;
  /** Every door that has anything kept, the last opened first. */
  doors(): Promise<{ eventId: string; door: KeptDoor | null }[]>;
  /** Together with its tickets where these have changed. */
  putDoor(door: KeptDoor, tickets: Uint8Array | null): Promise<void>;
  /** Answers the scan by which another tab was earlier, and else keeps this one. */
  claim(scan: KeptScan, list: { askedAt: number } | null): Promise<KeptScan | null>;
  /** The server knows of these scans. */
  markKnown(eventId: string, scanIds: readonly string[], knownAt: number): Promise<void>;
  drop(eventId: string, scanIds: readonly string[]): Promise<void>;
  /** Deletes all of an event but the scans that wait; with `evenWaiting` these, too. */
  forget(eventId: string, evenWaiting: boolean): Promise<void>;
  /** One after the other, in all tabs: what hands in an event's scans, or takes one back. */
  inTurn<Result>(eventId: string, work: () => Promise<Result>): Promise<Result>;
  /** Another tab has changed something of this event. Returns how to stop listening. */
  onChange(eventId: string, listener: () => void): () => void;
}
