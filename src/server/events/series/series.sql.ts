import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import { newPublicId } from '#server/platform/ids.ts';

/** Makes the event the first date of a new series. */
export async function beginSeries(
  tx: Db,
  { organizationId, eventId, createdAt }: { organizationId: string; eventId: string; createdAt: Date },
): Promise<string> {
  const id = newPublicId();
  await tx.insertInto('series').values({ id, organizationId, createdAt }).execute();
  await tx.updateTable('events').set({ seriesId: id }).where('id', '=', eventId).execute();
  return id;
}

/** Starts of the dates that weren't cancelled, drafts included. */
export async function startsOf(db: Db, seriesId: string): Promise<Date[]> {
  const dates = await db
    .selectFrom('events')
    .where('seriesId', '=', seriesId)
    .where('cancelledAt', 'is', null)
    .select('startsAt')
    .execute();
  return dates.map(({ startsAt }) => startsAt);
}

/** Dates that start later and weren't cancelled, drafts included. */
export async function comingDatesOf(db: Db, seriesId: string, now: Date): Promise<string[]> {
  const dates = await db
    .selectFrom('events')
    .where('seriesId', '=', seriesId)
    .where('cancelledAt', 'is', null)
    .where('startsAt', '>', now)
    .select('id')
    .execute();
  return dates.map(({ id }) => id);
}

/** Those that were made together with this one. */
export async function datesMadeWith(tx: Db, eventId: string) {
  return tx
    .selectFrom('events as e')
    .innerJoin('events as first', (join) =>
      join.onRef('first.seriesId', '=', 'e.seriesId').onRef('first.createdAt', '=', 'e.createdAt'),
    )
    .where('first.id', '=', eventId)
    .select(['e.id', 'e.startsAt', 'e.endsAt', 'e.timezone', 'e.seriesId'])
    .orderBy('e.startsAt')
    .execute();
}

/**
 * Locks the dates that can still be billed, in the order of their ids, and gives the series' waivers to the earliest that aren't
 * cancelled. Returns who lost and who got one, in pairs.
 */
export async function giveWaiversToEarliest(tx: Db, seriesId: string): Promise<{ from: string; to: string }[]> {
  await sql`
    select from events where series_id = ${seriesId} and is_published and payout_requested_at is null
     order by id for no key update`.execute(tx);
  const { rows } = await sql<{ id: string; hasWaiver: boolean }>`
    with dates as (
      select id, processing_fee_waived as has,
             row_number() over (order by (cancelled_at is not null), starts_at, id)
               <= count(*) filter (where processing_fee_waived) over () as gets
        from events
       where series_id = ${seriesId} and is_published and payout_requested_at is null)
    update events e set processing_fee_waived = d.gets
      from dates d
     where e.id = d.id and d.has <> d.gets
    returning e.id, e.processing_fee_waived as has_waiver`.execute(tx);
  const to = rows.filter(({ hasWaiver }) => hasWaiver);
  return rows
    .filter(({ hasWaiver }) => !hasWaiver)
    .flatMap(({ id: from }, index) => {
      const next = to[index];
      return next ? [{ from, to: next.id }] : [];
    });
}
