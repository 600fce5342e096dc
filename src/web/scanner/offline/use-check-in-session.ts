import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { endShift, offlineTicketList, syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { call } from '#web/api.ts';
import { isSignedIn } from '#web/shell/session-token.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type CheckInCalls, CheckInSession, type SessionState } from './check-in-session.ts';
import { IndexedDbStore } from './store/indexed-db-store.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { OfflineStore } from './store/offline-store.ts';

let store: OfflineStore | undefined;

/** Plain http has no Web Locks, so tabs could not share one database. */
const canUseIndexedDb = () => isSecureContext && 'indexedDB' in globalThis;

/** One per page; the tabs of a browser share the database behind it. */
export function offlineStore(): OfflineStore {
  store ??= canUseIndexedDb() ? new IndexedDbStore() : createMemoryStore();
  return store;
}

const callsOf = (eventId: string): CheckInCalls => ({
  list: (have, pending, signal) => call(offlineTicketList, { eventId, pending, ...(have && { have }) }, { signal }),
  sync: (scans, signal) => call(syncScans, { eventId, scans }, { signal }),
  undo: (scanId, signal) => call(undoCheckIn, { eventId, scanId }, { signal }),
  leave: (signal) => call(endShift, { eventId }, { signal }),
});

/** Creates the event's session from the data saved on this device. */
export function useCreateCheckInSession(eventId: string): CheckInSession {
  const [session] = useState(
    () =>
      new CheckInSession(eventId, {
        store: offlineStore(),
        calls: callsOf(eventId),
        now: () => Date.now(),
        isDeviceOffline: () => !navigator.onLine,
        isSignedIn: () => isSignedIn(new Date()),
        notify: (note) => toast.success(note),
      }),
  );
  useEffect(() => session.start(), [session]);
  return session;
}

export function useSessionState(session: CheckInSession): SessionState {
  return useSyncExternalStore(session.subscribe, session.state);
}

export const CheckInSessionContext = createContext<CheckInSession | null>(null);

export function useCheckInSession(): CheckInSession {
  const session = useContext(CheckInSessionContext);
  if (!session) throw new Error('CheckInSessionContext is missing');
  return session;
}
