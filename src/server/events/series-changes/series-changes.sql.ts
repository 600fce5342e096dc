import { type Insertable, sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { lockNamespaces } from '#server/platform/locks.ts';
import type { Schema } from '#server/platform/schema.ts';

export interface DateOfChange {
  changeId: string;
  eventId: string;
}

/** Changes of the series begin one after the other. */
export async function lockSeriesChanges(tx: Db, seriesId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockNamespaces.seriesChanges}::int, hashtext(${seriesId}))`.execute(tx);
}

/** Not over, not cancelled and not paid out; oldest first. */
export function comingDates(db: Db, seriesId: string) {
  return db
    .selectFrom('events')
    .where('seriesId', '=', seriesId)
    .where('cancelledAt', 'is', null)
    .where('payoutRequestedAt', 'is', null)
    .where('endsAt', '>', sql<Date>`business_now()`)
    .select(['id as eventId', 'startsAt', 'timezone', 'title', 'subtitle', 'isPublished'])
    .orderBy('startsAt')
    .orderBy('id')
    .execute();
}

export function findChange(db: Db, changeId: string) {
  return db
    .selectFrom('seriesChanges as c')
    .innerJoin('series as s', 's.id', 'c.seriesId')
    .where('c.id', '=', changeId)
    .select(['c.id', 'c.seriesId', 'c.userId', 'c.kind', 'c.completedAt', 's.organizationId'])
    .executeTakeFirst();
}

/** Null once the change is over. Without plugins, which would rename the fields of the form. */
export async function storedEdit<Edit>(db: Db, changeId: string): Promise<Edit | null> {
  const { rows } = await sql<{ edit: Edit | null }>`
    select edit from series_changes where id = ${changeId}`.execute(db.withoutPlugins());
  return rows[0]?.edit ?? null;
}

export async function isChanging(db: Db, seriesId: string): Promise<boolean> {
  const running = await db
    .selectFrom('seriesChanges')
    .where('seriesId', '=', seriesId)
    .where('completedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  return running !== undefined;
}

/** The results of the last change show until the next one. */
export async function deleteEarlierChanges(tx: Db, seriesId: string): Promise<void> {
  await tx.deleteFrom('seriesChanges').where('seriesId', '=', seriesId).where('completedAt', 'is not', null).execute();
}

export async function insertChange(
  tx: Db,
  change: Insertable<Schema['seriesChanges']>,
  dates: readonly Pick<Schema['seriesChangeDates'], 'eventId' | 'part'>[],
): Promise<void> {
  await tx.insertInto('seriesChanges').values(change).execute();
  await tx
    .insertInto('seriesChangeDates')
    .values(dates.map((date) => ({ ...date, changeId: change.id, result: null, denial: null, denialParams: null })))
    .execute();
}

/** The oldest date that waits for the change. */
export function nextDate(db: Db, changeId: string) {
  return db
    .selectFrom('seriesChangeDates as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .where('d.changeId', '=', changeId)
    .where('d.result', 'is', null)
    .select(['d.changeId', 'd.eventId', 'd.part'])
    .orderBy('e.startsAt')
    .orderBy('e.id')
    .limit(1)
    .executeTakeFirst();
}

/** Another worker may have carried it out. */
export async function isWaiting(tx: Db, { changeId, eventId }: DateOfChange): Promise<boolean> {
  const date = await tx
    .selectFrom('seriesChangeDates')
    .where('changeId', '=', changeId)
    .where('eventId', '=', eventId)
    .where('result', 'is', null)
    .select('eventId')
    .executeTakeFirst();
  return date !== undefined;
}

type Result = Pick<Insertable<Schema['seriesChangeDates']>, 'result' | 'denial' | 'denialParams'>;

export async function recordResult(db: Db, { changeId, eventId }: DateOfChange, result: Result): Promise<void> {
  await db
    .updateTable('seriesChangeDates')
    .set(result)
    .where('changeId', '=', changeId)
    .where('eventId', '=', eventId)
    .where('result', 'is', null)
    .execute();
}

export async function completeChange(db: Db, changeId: string, completedAt: Date): Promise<void> {
  await db
    .updateTable('seriesChanges')
    .set({ completedAt, edit: null, userId: null })
    .where('id', '=', changeId)
    .execute();
}

/** The newest change, with what became of each date. */
export async function lastChange(db: Db, seriesId: string) {
  const change = await db
    .selectFrom('seriesChanges')
    .where('seriesId', '=', seriesId)
    .select(['id', 'kind', 'completedAt'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!change) return null;
  const dates = await db
    .selectFrom('seriesChangeDates as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .where('d.changeId', '=', change.id)
    .select(['d.eventId', 'd.result', 'd.denial', 'd.denialParams', 'e.startsAt', 'e.timezone', 'e.subtitle'])
    .orderBy('e.startsAt')
    .orderBy('e.id')
    .execute();
  return { ...change, dates };
}
