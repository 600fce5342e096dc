/** Stores in memory until the page closes: for browsers that refuse storage, and for tests. */
import { isNewerThan, isPending, type OfflineStore, type SavedScan, type SavedSession } from './offline-store.ts';

export function createMemoryStore(): OfflineStore {
  const sessions = new Map<string, SavedSession>();
  const ticketLists = new Map<string, Uint8Array>();
  const scans = new Map<string, SavedScan>();
  let lastOperation: Promise<unknown> = Promise.resolve();
  const keyOf = ({ eventId, ticketKey }: SavedScan) => `${eventId} ${ticketKey}`;
  const scansIn = (eventId: string) => [...scans.values()].filter((scan) => scan.eventId === eventId);
  const scansById = (eventId: string, ids: readonly string[]) =>
    scansIn(eventId).filter((one) => ids.includes(one.scanId));

  return {
    read: async (eventId) => ({
      session: sessions.get(eventId) ?? null,
      tickets: ticketLists.get(eventId) ?? null,
      scans: scansIn(eventId),
    }),
    peek: async (eventId) => ({ isOpen: sessions.has(eventId), scans: scansIn(eventId) }),
    async sessions() {
      const ids = new Set([...sessions.keys(), ...[...scans.values()].map(({ eventId }) => eventId)]);
      return [...ids].map((eventId) => ({ eventId, session: sessions.get(eventId) ?? null }));
    },
    async saveSession(session, tickets) {
      sessions.set(session.eventId, session);
      if (tickets) ticketLists.set(session.eventId, tickets);
    },
    async claim(scan, list) {
      const earlier = scans.get(keyOf(scan));
      if (earlier && isNewerThan(earlier, list)) return earlier;
      scans.set(keyOf(scan), scan);
      return null;
    },
    async markSynced(eventId, scanIds, knownAt) {
      for (const scan of scansById(eventId, scanIds))
        scans.set(keyOf(scan), { ...scan, confirmationNumber: null, knownAt });
    },
    async deleteScans(eventId, scanIds) {
      for (const scan of scansById(eventId, scanIds)) scans.delete(keyOf(scan));
    },
    async clear(eventId, includePending) {
      sessions.delete(eventId);
      ticketLists.delete(eventId);
      for (const scan of scansIn(eventId)) if (includePending || !isPending(scan)) scans.delete(keyOf(scan));
    },
    withLock<Result>(_eventId: string, work: () => Promise<Result>): Promise<Result> {
      const done = lastOperation.then(work);
      lastOperation = done.catch(() => {});
      return done;
    },
    onChange: () => () => {},
  };
}
