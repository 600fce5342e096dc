/** What an event has left and what of it waits for payment, as it was half a second ago: it only decides how long a buyer may take. */
import { LRUCache } from 'lru-cache';
import type { UnsoldTickets } from '#domain/reservation-times.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import { countUnsoldTickets } from './core/stock.sql.ts';

const TTL_MS = 500;
const MAX_TRACKED = 1_000;

export function unsoldTickets(db: Db, eventId: string): Promise<UnsoldTickets> {
  const counts = countsOf(db);
  const known = counts.get(eventId);
  if (known) return known;
  const counting = countUnsoldTickets(db, eventId);
  counts.set(eventId, counting);
  // A failed read must not be remembered.
  counting.catch(() => counts.delete(eventId));
  return counting;
}

const countsOf = perDatabase(() => new LRUCache<string, Promise<UnsoldTickets>>({ max: MAX_TRACKED, ttl: TTL_MS }));
