import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** The next event on sale of the organization that a person owns. */
export async function eventOnSaleOf(db: Db, email: string): Promise<string | null> {
  const event = await db
    .selectFrom('users as u')
    .innerJoin('memberships as m', 'm.userId', 'u.id')
    .innerJoin('events as e', 'e.organizationId', 'm.organizationId')
    .where('u.email', '=', email)
    .where('m.role', '=', 'owner')
    .where('e.isPublished', '=', true)
    .where(sql<boolean>`is_selling(e.cancelled_at, e.ends_at, business_now())`)
    .select('e.id')
    .orderBy('e.startsAt')
    .limit(1)
    .executeTakeFirst();
  return event?.id ?? null;
}
