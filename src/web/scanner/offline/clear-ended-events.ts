import { EventCache } from './event-cache.ts';
import type { OfflineStore } from './store/offline-store.ts';

/** Clears events whose grant expired while the scanner was closed; pending scans stay. The current event's session expires by itself. */
export async function clearEndedEvents(store: OfflineStore, now: number, currentEventId: string): Promise<void> {
  for (const { eventId, session } of await store.sessions()) {
    if (!session || eventId === currentEventId) continue;
    const cache = new EventCache(eventId, store, () => now);
    await cache.load();
    if (cache.isExpired()) await cache.clear({ includePending: false });
  }
}
