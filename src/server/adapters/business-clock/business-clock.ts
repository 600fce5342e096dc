/** The system's clock plus the offset that the database keeps, so that product, database and sandbox agree. */
import type { Db } from '#server/database.ts';
import type { Changes } from '#server/ports/changes.ts';
import type { Clock } from '#server/ports/clock.ts';
import { addToOffset, readOffsetSeconds } from './business-clock.sql.ts';

export interface MovableClock extends Clock {
  /** Forward only: money that has moved does not unmove. */
  advanceSeconds(seconds: number): Promise<void>;
  /** Takes over how far another process has moved it. */
  catchUp(): Promise<void>;
}

export async function openBusinessClock(
  db: Db,
  changes: Pick<Changes, 'onChange'> | null = null,
): Promise<MovableClock> {
  let offsetSeconds = 0;
  // Compared once it is known: answers overtake each other, and an older one must not take the clock back.
  const reach = (seconds: number) => {
    offsetSeconds = Math.max(offsetSeconds, seconds);
  };
  const catchUp = async () => reach(await readOffsetSeconds(db));
  changes?.onChange(({ what }) => {
    // Without a database there is nothing to be on time for; once it is back, anything may have changed.
    if (what !== 'event') catchUp().catch(() => {});
  });
  // After it listens: a move while this is read would be told to nobody.
  await catchUp();
  return {
    now: () => new Date(Date.now() + offsetSeconds * 1000),
    catchUp,
    async advanceSeconds(seconds) {
      if (seconds < 0) throw new RangeError('the clock only moves forward');
      reach(await addToOffset(db, Math.round(seconds)));
    },
  };
}
