import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';
import type { Actor } from '#server/platform/http/callers.ts';

type Member = Pick<Actor, 'organizationId' | 'onlyEventIds'>;

/** Of those that the member was given, latest first. */
export async function publishedEvents(
  db: Db,
  member: Member,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const rows = ownEvents(db, member)
    .where('isPublished', '=', true)
    .select(['id', 'title', 'subtitle', 'startsAt', 'timezone'])
    .orderBy('startsAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after === undefined) return rows.execute();
  return rows
    .where(
      sql<boolean>`(starts_at, id) < (select last.starts_at, last.id from events last
        where last.id = ${after} and last.organization_id = ${member.organizationId})`,
    )
    .execute();
}

/** In cents. */
export async function payoutSums(db: Db, member: Member): Promise<{ paidCents: number; onItsWayCents: number }> {
  return db
    .selectFrom('payouts')
    .where('eventId', 'in', ownEvents(db, member).select('id'))
    .select([
      sql<number>`coalesce(sum(cents) filter (where state = 'paid'), 0)::bigint`.as('paidCents'),
      sql<number>`coalesce(sum(cents) filter (where state <> 'paid'), 0)::bigint`.as('onItsWayCents'),
    ])
    .executeTakeFirstOrThrow();
}

function ownEvents(db: Db, { organizationId, onlyEventIds }: Member) {
  const own = db.selectFrom('events').where('organizationId', '=', organizationId);
  return onlyEventIds ? own.where('id', 'in', onlyEventIds.length > 0 ? [...onlyEventIds] : ['']) : own;
}
