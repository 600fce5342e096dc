import type { Db } from '#server/platform/database.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';

/** Copies the event without its sales, each copy a minute newer. Returns their ids, oldest first. */
export async function copiesOfEvent(
  db: Db,
  eventId: string,
  count: number,
  endsAt: (index: number) => Date,
  titleOf: (index: number) => string | undefined = () => undefined,
): Promise<string[]> {
  const {
    latestStartsAt: _latestStart,
    latestEndsAt: _latestEnd,
    pausedSales: _pausedSales,
    isPublished: _isPublished,
    ...event
  } = await db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, (_, index) => ({
    ...event,
    id: newPublicId(),
    recordId: newId(),
    title: titleOf(index) ?? event.title,
    feeTerms: JSON.stringify(event.feeTerms),
    startsAt: endsAt(index),
    endsAt: endsAt(index),
    createdAt: new Date(event.createdAt.getTime() + (index + 1) * 60_000),
  }));
  await db.insertInto('events').values(copies).execute();
  const stored = await db.selectFrom('ticketTypes').where('eventId', '=', eventId).selectAll().execute();
  const types = copies.flatMap(({ id }) =>
    stored.map(({ available: _available, ...type }) => ({ ...type, eventId: id, id: newId() })),
  );
  await db.insertInto('ticketTypes').values(types).execute();
  return copies.map(({ id }) => id);
}
