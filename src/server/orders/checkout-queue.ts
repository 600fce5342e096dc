/**
 * This process's view of the checkout queue. Polls are answered from a snapshot, usually half a second old, and recorded
 * in batches. The database is the source of truth, so nothing is lost when a process exits.
 */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { extendReservations, queuePositions } from './core/checkout-queue.sql.ts';

const SNAPSHOT_MS = 500;
const MAX_SNAPSHOT_MS = 5_000;
/** Share of time spent reading: a longer queue is read less often. */
const MAX_READ_SHARE = 0.02;
/** Reservations are extended for longer than this, so a poll needs no second record within it. */
const RECORD_INTERVAL_MS = 20_000;

export const checkoutQueueOf = perDatabase((db) => {
  const queue = trackQueue(db);
  const polls = recordPolls(db);
  let wake = () => {};
  return {
    /** An order joined at this position. */
    noteJoined(position: number): void {
      queue.noteJoined(position);
      wake();
    },
    isQueued: queue.isQueued,
    countBefore: queue.countBefore,
    notePoll: polls.note,
    flushPolls: polls.flush,
    /** Called when an order joins the queue. */
    onJoin(listener: () => void): void {
      wake = listener;
    },
  };
});

/** Reads the queue at most twice a second, however many buyers poll. */
function trackQueue(db: Db) {
  let positions: Float64Array = new Float64Array();
  let takenAt = Number.NEGATIVE_INFINITY;
  let lastsMs = SNAPSHOT_MS;
  let reading: Promise<void> | null = null;
  /** The first position that joined through this process since the snapshot. */
  let firstJoined: number | null = null;

  return {
    noteJoined(position: number): void {
      firstJoined = Math.min(firstJoined ?? position, position);
    },

    async isQueued(position: number): Promise<boolean> {
      await refresh();
      return positions[rankIn(positions, position)] === position;
    },

    async countBefore(position: number): Promise<number> {
      await refresh();
      const rank = rankIn(positions, position);
      if (rank < positions.length) return rank;
      // Joined after the snapshot, like every position between its last one and this one.
      const lastSeen = positions.at(-1) ?? (firstJoined ?? position) - 1;
      return rank + Math.max(0, position - lastSeen - 1);
    },
  };

  async function refresh(): Promise<void> {
    if (performance.now() - takenAt > lastsMs) await (reading ??= readSnapshot());
  }

  async function readSnapshot(): Promise<void> {
    try {
      const startedAt = performance.now();
      firstJoined = null;
      positions = await queuePositions(db);
      takenAt = startedAt;
      lastsMs = Math.min(MAX_SNAPSHOT_MS, Math.max(SNAPSHOT_MS, (performance.now() - startedAt) / MAX_READ_SHARE));
    } finally {
      reading = null;
    }
  }
}

function recordPolls(db: Db) {
  /** Two-generation cache of recorded orders: `now` fills, `before` is dropped next. */
  let recorded = { now: new Set<string>(), before: new Set<string>(), since: 0 };
  let pending: OrderRef[] = [];

  return {
    /** @param at business time, like the reservations */
    note(order: OrderRef, at: Date): void {
      const age = at.getTime() - recorded.since;
      if (age > RECORD_INTERVAL_MS) {
        const before = age > 2 * RECORD_INTERVAL_MS ? new Set<string>() : recorded.now;
        recorded = { now: new Set(), before, since: at.getTime() };
      }
      if (recorded.now.has(order.orderId) || recorded.before.has(order.orderId)) return;
      recorded.now.add(order.orderId);
      pending.push(order);
    },

    /** Called about once a second. */
    async flush(): Promise<void> {
      const orders = [...pending];
      if (orders.length > 0) await extendReservations(db, orders);
      // After the write, so that a failed one is retried.
      pending = pending.slice(orders.length);
    },
  };
}

/** Binary search: the count of smaller numbers. */
function rankIn(sorted: Float64Array, number: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
