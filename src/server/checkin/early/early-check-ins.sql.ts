import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** The latest early check-in of the ticket that `id` belongs to, with its ticket and event. */
export async function earlyCheckInOf(db: Db, eventId: string, id: string) {
  return db
    .selectFrom('earlyCheckIns as named')
    .innerJoin('earlyCheckIns as c', (join) =>
      join.onRef('c.eventId', '=', 'named.eventId').onRef('c.ticketId', '=', 'named.ticketId'),
    )
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'c.eventId').onRef('t.id', '=', 'c.ticketId'))
    .innerJoin('events as e', 'e.id', 'c.eventId')
    .where('named.eventId', '=', eventId)
    .where('named.id', '=', id)
    .select(['c.outcome', 'c.scannedAt', 'c.objectedAt', 'c.endedAt', 't.state as ticketState'])
    .select(['t.ticketName', 'e.title', 'e.timezone', 'e.startsAt', 'e.latestEndsAt'])
    .select(sql<string>`number_at(t.event_id, t.id, named.recorded_at)`.as('confirmationNumber'))
    .select(['e.cancelledAt', 'e.payoutRequestedAt', sql<Date>`business_now()`.as('now')])
    .orderBy('c.recordedAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
