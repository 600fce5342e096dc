/**
 * This process' part of the line for payment pages: who asks is answered from a picture of the line, half a second old for all
 * but the longest lines, and that they asked is written down together. Nothing here is the truth; a process that ends loses none of it.
 */

import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { extendReservations, queuePositions } from './checkout-queue.sql.ts';

export const checkoutQueueOf = perDatabase((db) => {
  const picture = takeSnapshots(db);
  const questions = recordPolls(db);
  let wake = () => {};
  return {
    /** Somebody got this place. */
    noteEntered(place: number): void {
      picture.noteEntered(place);
      wake();
    },
    isTaken: picture.isTaken,
    countBefore: picture.countBefore,
    noteAsked: questions.note,
    keepAsked: questions.keepHolds,
    /** Called as soon as somebody has to wait. */
    onEntered(listener: () => void): void {
      wake = listener;
    },
  };
});

const SNAPSHOT_MS = 500;
const OLDEST_SNAPSHOT_MS = 5_000;
/** A long line is read less often, so that reading it stays a small part of the work. */
const READING_SHARE = 0.02;

/** However many ask, the line is read twice a second at most. */
function takeSnapshots(db: Db) {
  let places: Float64Array = new Float64Array();
  let takenAt = Number.NEGATIVE_INFINITY;
  let lastsMs = SNAPSHOT_MS;
  let taking: Promise<void> | null = null;
  /** The first that went in here after the picture. */
  let firstSince: number | null = null;

  return {
    noteEntered(place: number): void {
      firstSince = Math.min(firstSince ?? place, place);
    },

    /** Whether somebody stands there. */
    async isTaken(place: number): Promise<boolean> {
      await look();
      return places[rankIn(places, place)] === place;
    },

    async countBefore(place: number): Promise<number> {
      await look();
      const rank = rankIn(places, place);
      if (rank < places.length) return rank;
      // Came after the picture was taken, as did those between its last and this place.
      const unseenFrom = places.at(-1) ?? (firstSince ?? place) - 1;
      return rank + Math.max(0, place - unseenFrom - 1);
    },
  };

  async function look(): Promise<void> {
    if (performance.now() - takenAt > lastsMs) await (taking ??= take());
  }

  async function take(): Promise<void> {
    try {
      const startedAt = performance.now();
      firstSince = null;
      places = await queuePositions(db);
      takenAt = startedAt;
      lastsMs = Math.min(OLDEST_SNAPSHOT_MS, Math.max(SNAPSHOT_MS, (performance.now() - startedAt) / READING_SHARE));
    } finally {
      taking = null;
    }
  }
}

/** Who asked since then is not written down anew: the hold that was given then is long enough. */
const RECORD_AGAIN_MS = 20_000;

function recordPolls(db: Db) {
  /** Of one generation that is filled and one that is forgotten next; whoever stands in neither is written down. */
  let written = { now: new Set<string>(), before: new Set<string>(), since: 0 };
  let asked: OrderRef[] = [];

  return {
    /** On the business clock, as the holds are. */
    note(order: OrderRef, at: Date): void {
      const age = at.getTime() - written.since;
      if (age > RECORD_AGAIN_MS) {
        const before = age > 2 * RECORD_AGAIN_MS ? new Set<string>() : written.now;
        written = { now: new Set(), before, since: at.getTime() };
      }
      if (written.now.has(order.orderId) || written.before.has(order.orderId)) return;
      written.now.add(order.orderId);
      asked.push(order);
    },

    /** Called every second or so. */
    async keepHolds(): Promise<void> {
      const orders = [...asked];
      if (orders.length > 0) await extendReservations(db, orders);
      // Only now: what could not be written down is tried again.
      asked = asked.slice(orders.length);
    },
  };
}

/** How many of the sorted numbers are smaller. */
function rankIn(sorted: Float64Array, number: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
