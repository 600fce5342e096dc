import type { OnSale } from '#contract/forms/on-sale.ts';
import { passesCalled, type QueueRate } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import {
  forgetNetworks,
  insertWaitingRoom,
  lockWaitingRoom,
  updateWaitingRoom,
  type WaitingRoomColumns,
} from './waiting-room.sql.ts';

/** Earlier rates to keep: passes called by an old rate can still be used for a while. */
const MAX_EARLIER_RATES = 20;

interface EventState {
  eventId: string;
  /** Tickets are sold or reserved. */
  hasSales: boolean;
  now: Date;
}

/**
 * Creates or updates the waiting room, in the transaction that changes the event. A disabled room keeps its row, so its
 * positions continue if it is enabled again.
 */
export async function saveWaitingRoom(
  tx: Db,
  { eventId, hasSales, now }: EventState,
  { salesStartAt, buyersPerMinute }: OnSale,
): Promise<void> {
  if (salesStartAt === null || buyersPerMinute === null) return;
  const room = await lockWaitingRoom(tx, eventId);
  // Rates count from `since`; a past start would call a whole crowd at once.
  const start = { since: salesStartAt > now ? salesStartAt : now, perMinute: buyersPerMinute };
  if (!room) return insertWaitingRoom(tx, eventId, start);
  if (room.drawSize === null && room.since > now) return updateWaitingRoom(tx, eventId, start);

  if (salesStartAt > now) {
    if (hasSales) throw new AppError('edit.sales-started');
    return resetRoom(tx, room, start);
  }
  if (room.perMinute === buyersPerMinute) return;
  const rates = ratesOf(room);
  // Keeps the first rate: the room's start and its random draw depend on it.
  const earlier = [...rates.slice(0, 1), ...rates.slice(1).slice(1 - MAX_EARLIER_RATES)];
  await updateWaitingRoom(tx, eventId, {
    drawSize: room.drawSize ?? room.lastPass,
    calledBefore: passesCalled(rates, now),
    since: now,
    perMinute: buyersPerMinute,
    earlierRates: JSON.stringify(earlier),
  });
}

/**
 * Safe because nothing is sold or reserved. Voids all passes: most of those people have left, and the draw must not
 * include skipped positions.
 */
async function resetRoom(
  tx: Db,
  room: { eventId: string; lastPass: number },
  start: WaitingRoomColumns,
): Promise<void> {
  await forgetNetworks(tx, room.eventId);
  await updateWaitingRoom(tx, room.eventId, {
    ...start,
    drawSize: null,
    calledBefore: room.lastPass,
    earlierRates: '[]',
  });
}

/** The columns of a waiting room that define its rates. */
export interface RateColumns {
  calledBefore: number;
  since: Date;
  perMinute: number;
  earlierRates: { before: number; since: string; perMinute: number }[];
}

/** All rates of the room, oldest first. */
export function ratesOf(room: RateColumns): QueueRate[] {
  const earlier = room.earlierRates.map((rate) => ({ ...rate, since: new Date(rate.since) }));
  return [...earlier, { before: room.calledBefore, since: room.since, perMinute: room.perMinute }];
}
