/**
 * What carts are read against. What is remembered may be a moment old: the reservation verifies it, and nobody is refused
 * because of it before the event was read anew.
 */

import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { type EventOnSale, eventsOnSale } from './reserve.sql.ts';

const CACHED_MS = 250;
const CACHED_MAX = 1_000;

export function cachedEventOnSale(db: Db, eventId: string): EventOnSale | undefined {
  const known = cacheOf(db).remembered.get(eventId);
  return known && performance.now() - known.readAt < CACHED_MS ? known.event : undefined;
}

/** Reads after it was asked, together with whoever asks meanwhile. */
export function readEventOnSale(db: Db, eventId: string): Promise<EventOnSale | undefined> {
  return cacheOf(db).lane.run(eventId);
}

const cacheOf = perDatabase((db) => {
  const remembered = new Map<string, { event: EventOnSale; readAt: number }>();
  const lane = openBatcher<string, EventOnSale | undefined>({
    name: 'event look-up',
    one: async (eventId) => (await read([eventId])).get(eventId),
    async many(eventIds) {
      const found = await read([...new Set(eventIds)]);
      return eventIds.map((eventId) => found.get(eventId));
    },
  });
  return { remembered, lane };

  async function read(eventIds: readonly string[]): Promise<Map<string, EventOnSale>> {
    const readAt = performance.now();
    const found = new Map((await eventsOnSale(db, eventIds)).map((event) => [event.id, event]));
    for (const eventId of eventIds) remembered.delete(eventId);
    for (const [eventId, event] of found) remembered.set(eventId, { event, readAt });
    // A map keeps the order of writing: the first are the oldest.
    for (const eventId of remembered.keys()) {
      if (remembered.size <= CACHED_MAX) break;
      remembered.delete(eventId);
    }
    return found;
  }
});
