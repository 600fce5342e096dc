import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

export interface MovedEventRow {
  eventId: string;
  title: string;
  organization: string | null;
  timezone: string;
  startedAt: Date;
  startsAt: Date;
  movedAt: Date;
  total: number;
}

/** One that moved back to where it was is none. Changes of the venue alone have the same start. */
export async function movedEvents(db: Db, limit: number): Promise<MovedEventRow[]> {
  const { rows } = await sql<MovedEventRow>`
    select e.id as event_id, e.title, o.name as organization, e.timezone, moved.started_at, e.starts_at, moved.moved_at,
           count(*) over ()::int as total
      from (select event_id, (array_agg(starts_at order by changed_at, id))[1] as started_at, max(changed_at) as moved_at
              from event_changes where is_half_sold
             group by event_id) as moved
      join events e on e.id = moved.event_id
      join organizations o on o.id = e.organization_id
     where e.starts_at <> moved.started_at and e.cancelled_at is null and settles_at(e.latest_ends_at) > business_now()
     order by moved.moved_at desc, e.id
     limit ${limit}`.execute(db);
  return rows;
}
