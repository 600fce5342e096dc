/**
 * Deferred counting for generous limits that thousands consume at once: decides by local counts, and syncs a count with the table a
 * moment after it has become a noticeable share of the limit. So a crowd in which everyone buys once writes nothing. Several servers
 * together may exceed the limit slightly. While the table is unavailable, each server counts alone.
 */
import { LRUCache } from 'lru-cache';
import type { Db } from '#server/platform/database.ts';
import type { RateStanding } from '#server/platform/ports/rate-limiter.ts';
import { consumePoints } from './rate-limiter.sql.ts';

interface Counter {
  /** Points in the table at the last sync. */
  points: number;
  /** Points consumed since. */
  pending: number;
  /** In this server's time. */
  expire: number;
}

const SYNC_DELAY_MS = 100;
const MAX_COUNTERS = 200_000;
/** A server keeps less than this share of a limit to itself. */
const SYNCED_SHARE = 1 / 30;

export function deferredCounter(db: Db) {
  const counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });
  let dirty = new Set<string>();
  let isScheduled = false;

  return {
    /** Consumes a point. Returns `null`, or when the limit resets once it is reached. */
    consume(key: string, points: number, seconds: number): number | null {
      const now = Date.now();
      const existing = counters.get(key);
      const counter =
        existing && existing.expire > now ? existing : { points: 0, pending: 0, expire: now + seconds * 1000 };
      if (counter.points + counter.pending >= points) return counter.expire;
      counter.pending += 1;
      counters.set(key, counter);
      if (counter.pending >= points * SYNCED_SHARE) {
        dirty.add(key);
        schedule();
      }
      return null;
    },

    standing(key: string, points: number, seconds: number): RateStanding {
      const now = Date.now();
      const counter = counters.get(key);
      if (!counter || counter.expire <= now) return { points, seconds, left: points, resetSeconds: seconds };
      const left = Math.max(0, points - counter.points - counter.pending);
      return { points, seconds, left, resetSeconds: Math.ceil((counter.expire - now) / 1000) };
    },
  };

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => void sync(), SYNC_DELAY_MS).unref();
  }

  async function sync(): Promise<void> {
    const keys = dirty;
    dirty = new Set();
    const now = Date.now();
    const consumptions = [...keys].flatMap((key) => {
      const counter = counters.get(key);
      return counter ? [{ key, points: counter.pending, forMs: Math.max(0, counter.expire - now) }] : [];
    });
    const rows = await consumePoints(db, consumptions).catch(() => null);
    isScheduled = false;
    if (rows === null) {
      for (const key of keys) dirty.add(key);
      return schedule();
    }
    const sent = new Map(consumptions.map(({ key, points }) => [key, points]));
    for (const { key, points, leftMs } of rows) {
      const pending = Math.max(0, (counters.get(key)?.pending ?? 0) - (sent.get(key) ?? 0));
      counters.set(key, { points, pending, expire: Date.now() + leftMs });
    }
    if (dirty.size > 0) schedule();
  }
}
