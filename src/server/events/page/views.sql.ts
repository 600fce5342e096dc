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

/** Of links that exist. @param views by event and slug, with a space between them */
export async function addLinkViews(db: Db, views: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...views].map(([link, count]) => {
    const [eventId = '', slug = ''] = link.split(' ');
    return { eventId, slug, count };
  });
  await sql`
    insert into link_views (event_id, link_id, day, views)
    select e.id, l.id, (business_now() at time zone e.timezone)::date, v.views
      from unnest(${rows.map(({ eventId }) => eventId)}::text[], ${rows.map(({ slug }) => slug)}::text[],
                  ${rows.map(({ count }) => count)}::int[]) as v (event_id, slug, views)
      join events e on e.id = v.event_id
      join tracking_links l on l.event_id = e.id and l.slug = v.slug and l.removed_at is null
     order by e.id, l.id
        on conflict (event_id, link_id, day) do update set views = link_views.views + excluded.views`.execute(db);
}
