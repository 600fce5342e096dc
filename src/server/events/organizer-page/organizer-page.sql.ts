import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Undefined unless the public finds it. */
export function findOrganizer(db: Db, slug: string) {
  return db
    .selectFrom('organizations as o')
    .where('o.slug', '=', slug)
    .where(sql<boolean>`has_page(o)`)
    .select(['o.id', 'o.name', 'o.bio', 'o.website', 'o.logoFile', 'o.accent'])
    .select(sql<Date>`business_now()`.as('now'))
    .executeTakeFirst();
}

/** The paths of the sitemap: pages of organizations, of series, then of events. */
const paths = sql`
  select 1 as part, o.slug as key, '/o/' || o.slug as path from organizations o where has_page(o)
  union all
  select 2, e.series_id, '/series/' || e.series_id
    from events e join organizations o on o.id = e.organization_id
   where e.series_id is not null and is_listed_now(e) and o.suspended_at is null
   group by e.series_id
  union all
  select 3, e.id, '/payment/' || e.id
    from events e join organizations o on o.id = e.organization_id
   where is_listed_now(e) and o.suspended_at is null`;

export async function publicPaths(db: Db, { offset, limit }: { offset: number; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from (${paths}) as p order by part, key offset ${offset} limit ${limit}`.execute(db);
  return rows.map(({ path }) => path);
}

export async function countPublicPaths(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${paths}) as p`.execute(db);
  return rows[0]?.count ?? 0;
}
