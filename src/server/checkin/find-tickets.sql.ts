import { sql } from 'kysely';
import type { ListState } from '#contract/app/check-in-devices.ts';
import type { Db } from '#server/platform/database.ts';

/** In the order they were sold. */
export async function ticketsEndingIn(
  db: Db,
  { eventId, lastDigits, limit }: { eventId: string; lastDigits: string; limit: number },
) {
  return db
    .selectFrom('tickets as t')
    .leftJoin('checkInDevices as d', (join) =>
      join.onRef('d.eventId', '=', 't.eventId').onRef('d.id', '=', 't.scannedBy'),
    )
    .innerJoin('ticketTypes as y', (join) =>
      join.onRef('y.eventId', '=', 't.eventId').onRef('y.id', '=', 't.ticketTypeId'),
    )
    .where('t.eventId', '=', eventId)
    .where(sql`right(t.confirmation_number, 4)`, '=', lastDigits)
    .select([
      't.ticketName',
      'y.isAddOn',
      sql<ListState>`listed_state(t.state, t.disputed_at)`.as('state'),
      't.scannedAt',
      'd.name as scannedBy',
    ])
    .orderBy('t.id')
    .limit(limit)
    .execute();
}
