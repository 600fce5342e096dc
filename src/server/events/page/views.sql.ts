import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** In the order of the ids, so that two processes never wait for each other. */
export async function addViews(db: Db, views: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    insert into event_views (event_id, day, views)
    select e.id, (business_now() at time zone e.timezone)::date, v.views
      from unnest(${[...views.keys()]}::text[], ${[...views.values()]}::int[]) as v (event_id, views)
      join events e on e.id = v.event_id
     order by e.id
        on conflict (event_id, day) do update set views = event_views.views + excluded.views`.execute(db);
}
