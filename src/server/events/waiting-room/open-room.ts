import type { OnSale } from '#contract/forms/on-sale.ts';
import { passesCalled, type QueueRate, roomTime, turnStartedAfter, turnsOver, withRate } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { forgetSkips, postponeReturns } from './presence.sql.ts';
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
  /** All sales are paused. */
  isPaused: boolean;
  now: Date;
}

/**
 * Creates or updates the waiting room, in the transaction that changes the event. A disabled room keeps its row, so its
 * positions continue if it is enabled again.
 */
export async function saveWaitingRoom(
  tx: Db,
  { eventId, hasSales, isPaused, now }: EventState,
  { salesStartAt, buyersPerMinute }: OnSale,
): Promise<void> {
  if (salesStartAt === null || buyersPerMinute === null) return;
  const room = await lockWaitingRoom(tx, eventId);
  // Rates count from `since`; a past start would call a whole crowd at once.
  const start = { since: salesStartAt > now ? salesStartAt : now, perMinute: buyersPerMinute };
  if (!room) return insertWaitingRoom(tx, eventId, { ...start, pausedAt: isPaused ? now : null });
  if (room.drawSize === null && room.since > now) return updateWaitingRoom(tx, eventId, start);

  if (salesStartAt > now) {
    if (hasSales) throw new AppError('edit.sales-started');
    return resetRoom(tx, room, start);
  }
  if (room.perMinute === buyersPerMinute) return;
  const calledBefore = passesCalled(ratesOf(room), roomTime(now, room.pausedAt));
  await updateWaitingRoom(tx, eventId, { ...nextRate(room, now), calledBefore, perMinute: buyersPerMinute });
}

/** No position is called until sales resume. */
export async function pauseWaitingRoom(tx: Db, eventId: string, now: Date): Promise<void> {
  await updateWaitingRoom(tx, eventId, { pausedAt: now });
}

export async function resumeWaitingRoom(tx: Db, eventId: string, now: Date): Promise<void> {
  const room = await lockWaitingRoom(tx, eventId);
  if (!room?.pausedAt) return;
  const resumed = { pausedAt: null };
  if (room.since > now) return updateWaitingRoom(tx, eventId, resumed);
  const byMs = now.getTime() - room.pausedAt.getTime();
  await postponeReturns(tx, eventId, { from: turnStartedAfter(room.pausedAt), byMs });
  const calledBefore = turnsOver(ratesOf(room), room.pausedAt);
  // They come up again, and then count as present or absent.
  await forgetSkips(tx, eventId, calledBefore);
  const calledThrough = Math.min(room.calledThrough, calledBefore);
  await updateWaitingRoom(tx, eventId, { ...resumed, ...nextRate(room, now), calledBefore, calledThrough });
}

/** The columns of the room with one more rate. */
export function addRate(room: RateColumns, rate: QueueRate, now: Date) {
  const rates = withRate(ratesOf(room), rate, now);
  const { since, before, perMinute } = rates.at(-1) ?? rate;
  return { since, calledBefore: before, perMinute, earlierRates: earlierOf(rates.slice(0, -1)) };
}

/** Keeps the first rate: the room's start and its random draw depend on it. */
const earlierOf = (rates: readonly QueueRate[]): string =>
  JSON.stringify([...rates.slice(0, 1), ...rates.slice(1).slice(1 - MAX_EARLIER_RATES)]);

type Room = NonNullable<Awaited<ReturnType<typeof lockWaitingRoom>>>;

/** Begins a rate now, in a room that has opened. */
function nextRate(room: Room, now: Date) {
  return { drawSize: room.drawSize ?? room.lastPass, since: now, earlierRates: earlierOf(ratesOf(room)) };
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
