/**
 * What only a look at all orders or check-ins of an event tells. It is read again once their number has changed, which the running
 * totals tell at once. Nothing about a person is kept: names are read with each reply.
 */
import { LRUCache } from 'lru-cache';
import type { Db } from '#server/platform/database.ts';
import { busiestQuarter, countOrders, latestCheckIns } from './overview.sql.ts';

export const ACTIVITIES_SHOWN = 10;
const EVENTS_MAX = 1000;
/** While guests come in, for each event, however many members watch. */
const CHECK_INS_EVERY_MS = 10_000;

interface Known<T> {
  count: number;
  readAt: number;
  value: T;
}

type ReadByCount<T> = (db: Db, eventId: string, count: number) => Promise<T>;

function byCount<T extends object | number>(
  read: (db: Db, eventId: string) => Promise<T>,
  { atMostEveryMs = 0 } = {},
): ReadByCount<T> {
  const known = new LRUCache<string, Known<T>>({ max: EVENTS_MAX });
  return async (db, eventId, count) => {
    const readAt = performance.now();
    const last = known.get(eventId);
    if (last && (last.count === count || readAt - last.readAt < atMostEveryMs)) return last.value;
    const value = await read(db, eventId);
    known.set(eventId, { count, readAt, value });
    return value;
  };
}

/** By the number of tickets ever issued: every order that is paid issues some. */
export const readOrders = byCount(countOrders);

/** By the number of tickets that are checked in. */
export const readLatestCheckIns = byCount((db, eventId) => latestCheckIns(db, eventId, ACTIVITIES_SHOWN), {
  atMostEveryMs: CHECK_INS_EVERY_MS,
});

export const readBusiest = byCount(async (db, eventId) => ({ quarter: await busiestQuarter(db, eventId) }));
