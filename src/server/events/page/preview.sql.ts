import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** What the page of an organization's new event says of the organization. */
export function organizationToShow(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations as o')
    .where('o.id', '=', organizationId)
    .select(['o.name as organizationName', 'o.bio as organizationBio', 'o.accent', sql<Date>`business_now()`.as('now')])
    .select(sql<string | null>`case when has_page(o) then o.slug end`.as('organizerSlug'))
    .executeTakeFirst();
}
