import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** A published event with whom to write to about it. */
export function eventToContact(db: Db, eventId: string) {
  return db
    .selectFrom('events as e')
    .innerJoin('organizations as g', 'g.id', 'e.organizationId')
    .where('e.id', '=', eventId)
    .where('e.isPublished', '=', true)
    .select(['e.id as eventId', 'e.title', 'e.latestEndsAt', 'e.organizationId'])
    .select(['g.name as organizationName', 'g.suspendedAt'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('memberships as m')
          .innerJoin('users as u', 'u.id', 'm.userId')
          .whereRef('m.organizationId', '=', 'g.id')
          .where('m.role', '=', 'owner')
          .where('u.emailVerifiedAt', 'is not', null)
          .select(sql.lit(1).as('one')),
      ).as('hasReader'),
    )
    .executeTakeFirst();
}
