import { sql } from 'kysely';
import { COMING_DATES_MAX } from '#domain/limits.ts';
import type { Db } from '#server/platform/database.ts';

/** Coming dates of the series but this one, soonest first, as everyone is shown them. */
export function otherDatesOf(db: Db, { id, seriesId }: { id: string; seriesId: string }) {
  return db
    .selectFrom('events as e')
    .where('e.seriesId', '=', seriesId)
    .where('e.id', '<>', id)
    .where('e.cancelledAt', 'is', null)
    .where(sql<boolean>`is_coming_date(e)`)
    .select(['e.id', 'e.subtitle', 'e.timezone', 'e.startsAt', 'e.endsAt'])
    .orderBy('e.startsAt')
    .orderBy('e.id')
    .limit(COMING_DATES_MAX)
    .execute();
}
