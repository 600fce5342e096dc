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
      from (select c.event_id, (array_agg(c.starts_at order by c.changed_at, c.id))[1] as started_at,
                   max(c.changed_at) filter (where c.starts_at <> c.next_starts_at) as moved_at
              from (select x.*, coalesce(lead(x.starts_at) over (partition by x.event_id order by x.changed_at, x.id), e.starts_at)
                                  as next_starts_at
                      from event_changes x join events e on e.id = x.event_id where x.is_half_sold) as c
             group by c.event_id) as moved
      join events e on e.id = moved.event_id
      join organizations o on o.id = e.organization_id
     where e.starts_at <> moved.started_at and e.cancelled_at is null and settles_at(e.latest_ends_at) > business_now()
     order by moved.moved_at desc, e.id
     limit ${limit}`.execute(db);
  return rows;
}
