/** The system's clock plus the offset that the database keeps, so that product, database and sandbox agree. */
import type { Db } from '#server/database.ts';
import type { Clock } from '#server/ports/clock.ts';
import { addToOffset, readOffsetSeconds } from './business-clock.sql.ts';

export interface MovableClock extends Clock {
  /** Forward only: money that has moved does not unmove. */
  advanceSeconds(seconds: number): Promise<void>;
}

export async function openBusinessClock(db: Db): Promise<MovableClock> {
  let offsetSeconds = await readOffsetSeconds(db);
  return {
    now: () => new Date(Date.now() + offsetSeconds * 1000),
    async advanceSeconds(seconds) {
      if (seconds < 0) throw new RangeError('the clock only moves forward');
      offsetSeconds = await addToOffset(db, Math.round(seconds));
    },
  };
}
