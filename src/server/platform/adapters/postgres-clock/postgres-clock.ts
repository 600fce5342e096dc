/**
 * Business time: an estimate of the database's clock plus an offset stored in the database. Servers, database and sandbox agree
 * on it even if the servers' own clocks differ.
 */
import type { Db } from '#server/platform/database.ts';
import type { Changes } from '#server/platform/ports/changes.ts';
import type { Clock } from '#server/platform/ports/clock.ts';
import { addToOffset, readClock } from './postgres-clock.sql.ts';

export interface MovableClock extends Clock {
  /** Forward only, because money movements cannot be undone. */
  advanceSeconds(seconds: number): Promise<void>;
  /** Reads the offset again after another process has changed it. */
  catchUp(): Promise<void>;
}

/** Interval of reads, within which a changed system clock is noticed. */
const READ_INTERVAL_MS = 30_000;
/** A slower response is too imprecise to compare the clocks. */
const MAX_RESPONSE_MS = 500;
/** Attempts at a precise first read. The first response is often slow because it includes connecting. */
const MAX_FIRST_READS = 5;
/** Smaller differences are normal between synchronized machines. */
const MIN_SKEW_MS = 1_000;

/** @param onSkew called with the seconds this machine's clock is ahead of the database's, whenever they change */
export async function openBusinessClock(
  db: Db,
  changes: Pick<Changes, 'onChange'> | null = null,
  onSkew: (seconds: number) => void = () => {},
): Promise<MovableClock> {
  let offsetSeconds = 0;
  let aheadMs = 0;
  // Responses can arrive out of order, and an older one must not move the clock back.
  const advanceTo = (seconds: number) => {
    offsetSeconds = Math.max(offsetSeconds, seconds);
  };
  /** Returns whether the response was precise enough to compare the clocks. */
  const read = async (): Promise<boolean> => {
    const sentAt = Date.now();
    const clock = await readClock(db);
    const receivedAt = Date.now();
    advanceTo(clock.offsetSeconds);
    if (receivedAt - sentAt > MAX_RESPONSE_MS) return false;
    const measuredMs = (sentAt + receivedAt) / 2 - clock.databaseNow.getTime();
    const previousMs = aheadMs;
    aheadMs = Math.abs(measuredMs) < MIN_SKEW_MS ? 0 : measuredMs;
    if (Math.abs(aheadMs - previousMs) > MIN_SKEW_MS) onSkew(Math.round(aheadMs / 1000));
    return true;
  };
  const catchUp = async () => void (await read());
  changes?.onChange(({ what }) => {
    // Errors are ignored: without a database no request is served, and `anything` follows once it is back.
    if (what === 'clock' || what === 'anything') catchUp().catch(() => {});
  });
  // Subscribed first, so that a change during the first read is not missed.
  for (let reads = 1; !(await read()) && reads < MAX_FIRST_READS; ) reads += 1;
  setInterval(() => void catchUp().catch(() => {}), READ_INTERVAL_MS).unref();
  return {
    now: () => new Date(Date.now() - aheadMs + offsetSeconds * 1000),
    catchUp,
    async advanceSeconds(seconds) {
      if (seconds < 0) throw new RangeError('the clock only moves forward');
      advanceTo(await addToOffset(db, Math.round(seconds)));
    },
  };
}
