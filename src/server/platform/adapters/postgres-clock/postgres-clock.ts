/**
 * The database's clock, as this process reckons it, plus the offset that the database keeps: product, database and sandbox agree,
 * and so do servers whose own clocks do not.
 */
import type { Db } from '#server/platform/database.ts';
import type { Changes } from '#server/platform/ports/changes.ts';
import type { Clock } from '#server/platform/ports/clock.ts';
import { addToOffset, readClock } from './postgres-clock.sql.ts';

export interface MovableClock extends Clock {
  /** Forward only: money that has moved does not unmove. */
  advanceSeconds(seconds: number): Promise<void>;
  /** Takes over how far another process has moved it. */
  catchUp(): Promise<void>;
}

/** Looked at again and again: a clock that is set right, or wrong, is noticed within this time. */
const READ_MS = 30_000;
/** An answer that took longer says too little about when it was given. */
const BLUR_MS = 500;
/** How often it is asked before the first time is told, if the answers are slow: making the connection often is. */
const FIRST_READS = 5;
/** Less is what machines differ by that keep their clocks well. */
const SKEW_MS = 1_000;

/** @param onSkew is told by how much this machine's clock is ahead of the database's (or, below 0, behind), whenever that changes */
export async function openBusinessClock(
  db: Db,
  changes: Pick<Changes, 'onChange'> | null = null,
  onSkew: (seconds: number) => void = () => {},
): Promise<MovableClock> {
  let offsetSeconds = 0;
  let aheadMs = 0;
  // Compared once it is known: answers overtake each other, and an older one must not take the clock back.
  const reach = (seconds: number) => {
    offsetSeconds = Math.max(offsetSeconds, seconds);
  };
  /** Answers whether it is known by now how the clocks differ. */
  const look = async (): Promise<boolean> => {
    const asked = Date.now();
    const clock = await readClock(db);
    const answered = Date.now();
    reach(clock.offsetSeconds);
    if (answered - asked > BLUR_MS) return false;
    const found = (asked + answered) / 2 - clock.databaseNow.getTime();
    const before = aheadMs;
    aheadMs = Math.abs(found) < SKEW_MS ? 0 : found;
    if (Math.abs(aheadMs - before) > SKEW_MS) onSkew(Math.round(aheadMs / 1000));
    return true;
  };
  const catchUp = async () => void (await look());
  changes?.onChange(({ what }) => {
    // Without a database there is nothing to be on time for; once it is back, anything may have changed.
    if (what !== 'event') catchUp().catch(() => {});
  });
  // After it listens: a move while this is read would be told to nobody.
  for (let looks = 1; !(await look()) && looks < FIRST_READS; ) looks += 1;
  setInterval(() => void catchUp().catch(() => {}), READ_MS).unref();
  return {
    now: () => new Date(Date.now() - aheadMs + offsetSeconds * 1000),
    catchUp,
    async advanceSeconds(seconds) {
      if (seconds < 0) throw new RangeError('the clock only moves forward');
      reach(await addToOffset(db, Math.round(seconds)));
    },
  };
}
