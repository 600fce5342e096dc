/** Series of events, made without the call that adds dates. */
import type { Db } from '#server/platform/database.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { copiesOfEvent } from './copied-events.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** The event and weekly copies of it, as a series. */
export async function weeklySeries(
  db: Db,
  eventId: string,
  copies: number,
): Promise<{ seriesId: string; dates: string[] }> {
  const event = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['organizationId', 'startsAt', 'endsAt'])
    .executeTakeFirstOrThrow();
  const later = (moment: Date, index: number) => new Date(moment.getTime() + (index + 1) * WEEK_MS);
  const copied = await copiesOfEvent(db, eventId, copies, (index) => later(event.endsAt, index));
  for (const [index, id] of copied.entries())
    await db
      .updateTable('events')
      .set({ startsAt: later(event.startsAt, index) })
      .where('id', '=', id)
      .execute();
  const dates = [eventId, ...copied];
  const seriesId = newPublicId();
  await db
    .insertInto('series')
    .values({ id: seriesId, organizationId: event.organizationId, createdAt: new Date() })
    .execute();
  await db.updateTable('events').set({ seriesId }).where('id', 'in', dates).execute();
  return { seriesId, dates };
}
