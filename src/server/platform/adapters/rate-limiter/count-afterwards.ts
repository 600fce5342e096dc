/**
 * Budgets that are generous, and spent by thousands at once: whoever comes is let pass by what this server knows, and counted
 * together with everyone else a moment later. Several servers may let a few more pass than the budget says. While the table
 * cannot be written, each server counts for itself.
 */
import type { Db } from '#server/platform/database.ts';
import { consumePoints } from './rate-limiter.sql.ts';

interface Known {
  /** In the table, as far as it is known, and since. */
  points: number;
  pending: number;
  /** By this server's clock. */
  expire: number;
}

const COUNTED_AFTER_MS = 100;
const KNOWN_AT_MOST = 200_000;

export function countAfterwards(db: Db) {
  const known = new Map<string, Known>();
  let waiting = new Set<string>();
  let isScheduled = false;

  return {
    /** Until when the budget is used up; `null` while it is not. */
    spend(key: string, points: number, seconds: number): number | null {
      const now = Date.now();
      const found = known.get(key);
      const one = found && found.expire > now ? found : { points: 0, pending: 0, expire: now + seconds * 1000 };
      if (one.points + one.pending >= points) return one.expire;
      one.pending += 1;
      known.set(key, one);
      waiting.add(key);
      schedule();
      return null;
    },
  };

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => void count(), COUNTED_AFTER_MS).unref();
  }

  async function count(): Promise<void> {
    const keys = waiting;
    waiting = new Set();
    const now = Date.now();
    const spendings = [...keys].flatMap((key) => {
      const one = known.get(key);
      return one ? [{ key, points: one.pending, forMs: Math.max(0, one.expire - now) }] : [];
    });
    const rows = await consumePoints(db, spendings).catch(() => null);
    isScheduled = false;
    if (rows === null) {
      for (const key of keys) waiting.add(key);
      return schedule();
    }
    const spent = new Map(spendings.map(({ key, points }) => [key, points]));
    for (const { key, points, leftMs } of rows) {
      const pending = (known.get(key)?.pending ?? 0) - (spent.get(key) ?? 0);
      known.set(key, { points, pending, expire: Date.now() + leftMs });
    }
    if (waiting.size > 0) schedule();
    if (known.size > KNOWN_AT_MOST) for (const [key, one] of known) if (one.pending === 0) known.delete(key);
  }
}
