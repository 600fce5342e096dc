import type { OnSale } from '#contract/on-sale.ts';
import { startHasPassed } from '#contract/waiting-room.ts';
import { passesCalled, type QueueRate } from '#domain/waiting-room.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { insertWaitingRoom, lockWaitingRoom, updateWaitingRoom, type WaitingRoomColumns } from './waiting-room.sql.ts';

/** As many as an organizer may change the pace while places that were called by it can still be used. */
const RATES_CACHED = 20;

interface EventNow {
  eventId: string;
  /** Something is sold or held. */
  hasSales: boolean;
  now: Date;
}

/**
 * Brings the room in line with what the organizer wants from now on; in the transaction that changes the event.
 * A room that is no longer wanted is left as it is: its numbers go on where they were, should it be wanted again.
 */
export async function saveWaitingRoom(
  tx: Db,
  { eventId, hasSales, now }: EventNow,
  { salesStartAt, buyersPerMinute }: OnSale,
): Promise<void> {
  if (salesStartAt === null || buyersPerMinute === null) return;
  const room = await lockWaitingRoom(tx, eventId);
  // A start in the past would call everyone at once who would have been called since then.
  const start = { since: salesStartAt > now ? salesStartAt : now, perMinute: buyersPerMinute };
  if (!room) return insertWaitingRoom(tx, eventId, start);
  if (room.early === null && room.since > now) return updateWaitingRoom(tx, eventId, start);

  if (salesStartAt > now) {
    if (hasSales) throw conflict(startHasPassed);
    return startAfresh(tx, room, start);
  }
  if (room.perMinute === buyersPerMinute) return;
  const paces = ratesOf(room);
  // The first one stays, since the room's start and its draw are told by it.
  const earlier = [...paces.slice(0, 1), ...paces.slice(1).slice(1 - RATES_CACHED)];
  await updateWaitingRoom(tx, eventId, {
    early: room.early ?? room.given,
    calledBefore: passesCalled(paces, now),
    since: now,
    perMinute: buyersPerMinute,
    earlierPaces: JSON.stringify(earlier),
  });
}

/**
 * Nobody has bought, so nobody loses a turn. The numbers that were given count no more: most of these people have left, and
 * many numbers were skipped, for which the drawn would wait in vain.
 */
async function startAfresh(tx: Db, room: { eventId: string; given: number }, start: WaitingRoomColumns): Promise<void> {
  await updateWaitingRoom(tx, room.eventId, { ...start, early: null, calledBefore: room.given, earlierPaces: '[]' });
}

/** A room's row, as far as its pace goes. */
export interface RateColumns {
  calledBefore: number;
  since: Date;
  perMinute: number;
  earlierPaces: { before: number; since: string; perMinute: number }[];
}

/** All paces of a room, oldest first. */
export function ratesOf(room: RateColumns): QueueRate[] {
  const earlier = room.earlierPaces.map((pace) => ({ ...pace, since: new Date(pace.since) }));
  return [...earlier, { before: room.calledBefore, since: room.since, perMinute: room.perMinute }];
}
