import { EventCache } from './event-cache.ts';
import type { OfflineStore } from './store/offline-store.ts';

/** Clears other events whose grant expired while the scanner was closed. Pending scans stay. */
export async function clearEndedEvents(store: OfflineStore, now: number, currentEventId: string): Promise<void> {
  for (const { eventId, session } of await store.sessions()) {
    if (!session || eventId === currentEventId) continue;
    const cache = new EventCache(eventId, store, () => now);
    await cache.load();
    if (cache.isExpired()) await cache.clear({ includePending: false });
  }
}
