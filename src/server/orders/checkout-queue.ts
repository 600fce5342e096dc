/**
 * This process's view of the checkout queue. Polls are answered from a snapshot, usually half a second old, and recorded
 * in batches. The database is the source of truth, so nothing is lost when a process exits.
 */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { extendReservations, type QueuedEvent, queuedEvents } from './core/checkout-queue.sql.ts';

const SNAPSHOT_MS = 500;
const MAX_SNAPSHOT_MS = 5_000;
/** Share of time spent reading: a longer queue is read less often. */
const MAX_READ_SHARE = 0.02;
/** Reservations are extended for longer than this, so a poll needs no second record within it. */
const RECORD_INTERVAL_MS = 20_000;

/** Where an order waits. Positions ascend over all events, which are served in rotation. */
interface QueuePlace {
  eventId: string;
  position: number;
}

export const checkoutQueueOf = perDatabase((db) => {
  const queue = trackQueue(db);
  const polls = recordPolls(db);
  let wake = () => {};
  return {
    noteJoined(place: QueuePlace): void {
      queue.noteJoined(place);
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
  let events: readonly QueuedEvent[] = [];
  let takenAt = Number.NEGATIVE_INFINITY;
  let lastsMs = SNAPSHOT_MS;
  let reading: Promise<void> | null = null;
  let joined = joinedHere();

  return {
    noteJoined(place: QueuePlace): void {
      joined.note(place);
    },

    async isQueued({ eventId, position }: QueuePlace): Promise<boolean> {
      await refresh();
      const positions = events.find((event) => event.eventId === eventId)?.positions ?? [];
      return positions[rankIn(positions, position)] === position;
    },

    /** How many orders are served before this one: of its own event those before it, and of each other event one before each of them. */
    async countBefore(place: QueuePlace): Promise<number> {
      await refresh();
      const turn = events.findIndex(({ eventId }) => eventId === place.eventId);
      const positions = events[turn]?.positions ?? [];
      let rank = rankIn(positions, place.position);
      if (rank === positions.length)
        rank += joined.countBefore(place, { last: positions.at(-1) ?? 0, lastOfAll: lastOf(events) });
      return events.reduce(
        (before, other, index) =>
          index === turn
            ? before
            : before + Math.min(other.positions.length, index < turn || turn < 0 ? rank + 1 : rank),
        rank,
      );
    },
  };

  async function refresh(): Promise<void> {
    if (performance.now() - takenAt > lastsMs) await (reading ??= readSnapshot());
  }

  async function readSnapshot(): Promise<void> {
    try {
      const startedAt = performance.now();
      joined = joinedHere();
      events = await queuedEvents(db);
      takenAt = startedAt;
      lastsMs = Math.min(MAX_SNAPSHOT_MS, Math.max(SNAPSHOT_MS, (performance.now() - startedAt) / MAX_READ_SHARE));
    } finally {
      reading = null;
    }
  }
}

const lastOf = (events: readonly QueuedEvent[]): number | null =>
  events.length === 0 ? null : Math.max(...events.map(({ positions }) => positions.at(-1) ?? 0));

/** What joined through this process since the snapshot. */
function joinedHere() {
  const all: number[] = [];
  const byEvent = new Map<string, number[]>();

  return {
    note({ eventId, position }: QueuePlace): void {
      const own = byEvent.get(eventId) ?? [];
      byEvent.set(eventId, own);
      insertSorted(own, position);
      insertSorted(all, position);
    },

    /** Orders of the event that joined before this one, after the snapshot, whose last positions are given. */
    countBefore(
      { eventId, position }: QueuePlace,
      { last, lastOfAll }: { last: number; lastOfAll: number | null },
    ): number {
      const own = byEvent.get(eventId) ?? [];
      const known = Math.max(0, rankIn(own, position) - rankIn(own, last + 1));
      const from = lastOfAll ?? Math.min(all[0] ?? position, position) - 1;
      const knownOfAll = Math.max(0, rankIn(all, position) - rankIn(all, from + 1));
      // Positions are consecutive. Those that other processes assigned are spread over the events as the known ones are.
      const scale = Math.max(1, (position - from) / (knownOfAll + 1));
      return Math.round((known + 1) * scale) - 1;
    },
  };
}

/** Nearly at the end, because positions ascend. */
function insertSorted(sorted: number[], number: number): void {
  let at = sorted.length;
  while (at > 0 && (sorted[at - 1] ?? 0) > number) at -= 1;
  sorted.splice(at, 0, number);
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
function rankIn(sorted: ArrayLike<number>, number: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
