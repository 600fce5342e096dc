import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { endShift, offlineTicketList, syncScans, undoCheckIn } from '#contract/door.ts';
import { call } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { type DoorCalls, DoorKeeper, type DoorState } from './door-keeper.ts';
import type { DoorStore } from './door-store.ts';
import { IndexedDoorStore } from './indexed-door-store.ts';
import { openMemoryDoorStore } from './memory-door-store.ts';

let store: DoorStore | undefined;

/** Over plain http tabs cannot take turns, so that each keeps for itself what it keeps. */
const canKeep = () => isSecureContext && 'indexedDB' in globalThis;

/** One for the page: its tabs share the browser's. */
export function doorStore(): DoorStore {
  store ??= canKeep() ? new IndexedDoorStore() : openMemoryDoorStore();
  return store;
}

const callsOf = (eventId: string): DoorCalls => ({
  list: (have, pending, signal) => call(offlineTicketList, { eventId, pending, ...(have && { have }) }, { signal }),
  handIn: (scans, signal) => call(syncScans, { eventId, scans }, { signal }),
  takeBack: (scanId, signal) => call(undoCheckIn, { eventId, scanId }, { signal }),
  leave: (signal) => call(endShift, { eventId }, { signal }),
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
