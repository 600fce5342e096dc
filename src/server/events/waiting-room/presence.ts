/**
 * Whose page is open. A poll is noted in memory and written with others, as one bit, before the room moves on. Only passes that can
 * come up soon are noted.
 */
import { calledAt, PRESENCE_MINUTES } from '#domain/waiting-room.ts';
import { type Db, perDatabase } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findPass, positionOf, type WaitingRoomState } from './pass.ts';
import { insertPresence, presenceSince, type SeenPasses } from './presence.sql.ts';

const MINUTE = 60_000;
/** Longer than a pass counts as present. */
const SOON_MS = 5 * MINUTE;

export const minuteOf = (moment: Date): number => Math.floor(moment.getTime() / MINUTE);

interface Noted extends SeenPasses {
  arrivals: Set<number>;
}

export const presenceOf = perDatabase((db) => {
  /** Passes that this process looked at in the current minute, by event. */
  const seen = new Map<string, Noted>();
  let pending = new Map<string, Noted>();

  return {
    /** True for the first poll of a pass in each minute. */
    isFirst(eventId: string, arrival: number, at: Date): boolean {
      const minute = minuteOf(at);
      const known = seen.get(eventId);
      if (known?.minute === minute && known.arrivals.has(arrival)) return false;
      if (known?.minute === minute) known.arrivals.add(arrival);
      else seen.set(eventId, { eventId, minute, arrivals: new Set([arrival]) });
      return true;
    },

    note(eventId: string, arrival: number, minute: number): void {
      const noted = pending.get(`${eventId} ${minute}`) ?? { eventId, minute, arrivals: new Set() };
      noted.arrivals.add(arrival);
      pending.set(`${eventId} ${minute}`, noted);
    },

    async flush(): Promise<void> {
      if (pending.size === 0) return;
      const notes = [...pending.values()];
      pending = new Map();
      try {
        await insertPresence(db, notes);
      } catch (error) {
        // A turn must not be lost because the database was away.
        for (const { eventId, arrivals, minute } of notes)
          for (const arrival of arrivals) this.note(eventId, arrival, minute);
        throw error;
      }
    },
  };
});

interface Visit {
  eventId: string;
  room: WaitingRoomState;
  cookie: string | undefined;
}

/** A poll confirms the pass of its browser. */
export function notePoll({ db, clock, appSecret }: Pick<Deps, 'db' | 'clock' | 'appSecret'>, visit: Visit): void {
  const { eventId, room, cookie } = visit;
  if (cookie === undefined) return;
  const now = clock.now();
  const start = room.rates[0]?.since;
  if (!start || start.getTime() - now.getTime() > SOON_MS) return;
  const pass = findPass(cookie, { eventId, room }, appSecret);
  if (!pass || !presenceOf(db).isFirst(eventId, pass.arrival, now)) return;
  const position = positionOf(pass, room);
  const comesUp = position === null ? start : calledAt(position, room.rates);
  if (comesUp.getTime() - now.getTime() <= SOON_MS) presenceOf(db).note(eventId, pass.arrival, minuteOf(now));
}

/** Tells which passes polled within the time before the given moment, or after it. */
export async function readPresence(db: Db, eventId: string, from: Date) {
  const last = await presenceSince(db, eventId, minuteOf(from) - PRESENCE_MINUTES);
  return (arrival: number, comesUp: Date): boolean => (last.get(arrival) ?? 0) >= minuteOf(comesUp) - PRESENCE_MINUTES;
}
