/** The room's own moves: absent passes are skipped, and take the next turn once their page is back. */
import { calledAt, passesCalled, rateAfterReturn, rateAfterSkips, skipAbsent } from '#domain/waiting-room.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { addRate, type RateColumns, ratesOf } from './open-room.ts';
import { arrivalOf, type WaitingRoomState } from './pass.ts';
import { findSkip, forgetPresence, insertSkips, updateSkip } from './presence.sql.ts';
import { minuteOf, readPresence } from './presence.ts';
import { lockWaitingRoom, tryLockWaitingRoom, updateWaitingRoom } from './waiting-room.sql.ts';

const KEPT_MINUTES = 15;

interface Progress {
  drawSize: number | null;
  lastPass: number;
  calledThrough: number;
  pausedAt: Date | null;
}

/** Positions have come up whose pages were not checked yet. */
export function isAdvanceDue(room: Progress & RateColumns, now: Date): boolean {
  if (room.drawSize === null || room.pausedAt) return false;
  return room.calledThrough < Math.min(room.lastPass, passesCalled(ratesOf(room), now));
}

/** One server at a time; the others serve what they know. */
export async function advanceRoom(
  db: Db,
  eventId: string,
  { drawSecret }: Pick<WaitingRoomState, 'drawSecret'>,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const room = await tryLockWaitingRoom(tx, eventId);
    if (!room || !isAdvanceDue(room, now)) return;
    const rates = ratesOf(room);
    const checked = Math.max(room.calledThrough, rates[0]?.before ?? 0);
    const called = passesCalled(rates, now);
    // The turns of skipped passes that came back were promised already.
    const isTaken = rates.some(({ since }) => since > now);
    const lastPass = isTaken ? Math.min(called, room.lastPass) : room.lastPass;
    const state = { rates, drawSize: room.drawSize, drawSecret, pausedAt: null };
    const wasPresent = await readPresence(tx, eventId, calledAt(checked + 1, rates));
    const { through, skipped } = skipAbsent({ checked, called, lastPass }, (position) => {
      const comesUp = calledAt(position, rates);
      return wasPresent(arrivalOf(eventId, position, state), comesUp < now ? comesUp : now);
    });
    if (skipped.length > 0) await insertSkips(tx, eventId, skipped);
    const jump = through > called ? addRate(room, rateAfterSkips(through, rates, now), now) : {};
    await updateWaitingRoom(tx, eventId, { calledThrough: through, ...jump });
    await forgetPresence(tx, eventId, minuteOf(now) - KEPT_MINUTES);
  });
}

/** When the pass comes up or came up. One that was skipped takes the next turn, from the first call after its page is back. */
export async function turnOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { eventId, position, room }: { eventId: string; position: number; room: WaitingRoomState },
): Promise<{ calledAt: Date; wasSkipped: boolean }> {
  const scheduled = { calledAt: calledAt(position, room.rates), wasSkipped: false };
  if (room.pausedAt || scheduled.calledAt > clock.now()) return scheduled;
  const skip = await findSkip(db, eventId, position);
  if (!skip) return scheduled;
  return { calledAt: skip.calledAt ?? (await comeBack(db, eventId, position, clock.now())), wasSkipped: true };
}

function comeBack(db: Db, eventId: string, position: number, now: Date): Promise<Date> {
  return inTransaction(db, async (tx) => {
    const room = await lockWaitingRoom(tx, eventId);
    // Of two tabs, the first one takes the turn.
    const known = (await findSkip(tx, eventId, position))?.calledAt;
    if (known || !room) return known ?? now;
    const { returnsAt, rate } = rateAfterReturn(ratesOf(room), now);
    await updateWaitingRoom(tx, eventId, addRate(room, rate, now));
    await updateSkip(tx, eventId, position, returnsAt);
    return returnsAt;
  });
}
