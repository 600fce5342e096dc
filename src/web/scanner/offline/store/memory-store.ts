/** The same store for as long as the page: for browsers that keep nothing, and for tests. */
import { type DoorStore, isAheadOf, isWaiting, type KeptDoor, type KeptScan } from './offline-store.ts';

export function openMemoryDoorStore(): DoorStore {
  const doors = new Map<string, KeptDoor>();
  const lists = new Map<string, Uint8Array>();
  const scans = new Map<string, KeptScan>();
  let turn: Promise<unknown> = Promise.resolve();
  const keyOf = ({ eventId, ticketKey }: KeptScan) => `${eventId} ${ticketKey}`;
  const scansIn = (eventId: string) => [...scans.values()].filter((scan) => scan.eventId === eventId);
  const these = (eventId: string, ids: readonly string[]) => scansIn(eventId).filter((one) => ids.includes(one.scanId));

  return {
    read: async (eventId) => ({
      door: doors.get(eventId) ?? null,
      tickets: lists.get(eventId) ?? null,
      scans: scansIn(eventId),
    }),
    glance: async (eventId) => ({ isOpen: doors.has(eventId), scans: scansIn(eventId) }),
    async doors() {
      const ids = new Set([...doors.keys(), ...[...scans.values()].map(({ eventId }) => eventId)]);
      return [...ids].map((eventId) => ({ eventId, door: doors.get(eventId) ?? null }));
    },
    async putDoor(door, tickets) {
      doors.set(door.eventId, door);
      if (tickets) lists.set(door.eventId, tickets);
    },
    async claim(scan, list) {
      const earlier = scans.get(keyOf(scan));
      if (earlier && isAheadOf(earlier, list)) return earlier;
      scans.set(keyOf(scan), scan);
      return null;
    },
    async markKnown(eventId, scanIds, knownAt) {
      for (const scan of these(eventId, scanIds))
        scans.set(keyOf(scan), { ...scan, confirmationNumber: null, knownAt });
    },
    async drop(eventId, scanIds) {
      for (const scan of these(eventId, scanIds)) scans.delete(keyOf(scan));
    },
    async forget(eventId, evenWaiting) {
      doors.delete(eventId);
      lists.delete(eventId);
      for (const scan of scansIn(eventId)) if (evenWaiting || !isWaiting(scan)) scans.delete(keyOf(scan));
    },
    inTurn<Result>(_eventId: string, work: () => Promise<Result>): Promise<Result> {
      const done = turn.then(work);
      turn = done.catch(() => {});
      return done;
    },
    onChange: () => () => {},
  };
}
