import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { doorList, handInScans, leaveDoor, takeBackScan } from '#contract/door.ts';
import { call } from '#web/api.ts';
import { toast } from '#web/ui/toast.ts';
import { type DoorCalls, DoorKeeper, type DoorState } from './check-in-session.ts';
import { IndexedDoorStore } from './store/indexed-db-store.ts';
import { openMemoryDoorStore } from './store/memory-store.ts';
import type { DoorStore } from './store/offline-store.ts';

let store: DoorStore | undefined;

/** Over plain http tabs cannot take turns, so that each keeps for itself what it keeps. */
const canKeep = () => isSecureContext && 'indexedDB' in globalThis;

/** One for the page: its tabs share the browser's. */
export function doorStore(): DoorStore {
  store ??= canKeep() ? new IndexedDoorStore() : openMemoryDoorStore();
  return store;
}

const callsOf = (eventId: string): DoorCalls => ({
  list: (have, pending, signal) => call(doorList, { eventId, pending, ...(have && { have }) }, { signal }),
  handIn: (scans, signal) => call(handInScans, { eventId, scans }, { signal }),
  takeBack: (scanId, signal) => call(takeBackScan, { eventId, scanId }, { signal }),
  leave: (signal) => call(leaveDoor, { eventId }, { signal }),
});

/** The keeper of this event's door, from what was kept of it on. */
export function useOwnDoorKeeper(eventId: string): DoorKeeper {
  const [keeper] = useState(
    () =>
      new DoorKeeper(eventId, {
        store: doorStore(),
        calls: callsOf(eventId),
        now: () => Date.now(),
        isUnplugged: () => !navigator.onLine,
        tell: (note) => toast.success(note),
      }),
  );
  useEffect(() => keeper.follow(), [keeper]);
  return keeper;
}

export function useDoorState(keeper: DoorKeeper): DoorState {
  return useSyncExternalStore(keeper.subscribe, keeper.state);
}

export const DoorKeeperContext = createContext<DoorKeeper | null>(null);

export function useDoorKeeper(): DoorKeeper {
  const keeper = useContext(DoorKeeperContext);
  if (!keeper) throw new Error('this is no door');
  return keeper;
}
