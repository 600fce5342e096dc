/** Refunds, looked up by the emailed link. */
import { sql } from 'kysely';
import type { Db } from '#server/platform/database.ts';

/** Null once the ticket is transferred: its number is the holder's. */
const OWN_NUMBER = sql<string | null>`case when t.transferred_count = 0 then t.confirmation_number end`;

export async function refundOfLink(db: Db, eventId: string, linkHash: Buffer) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .innerJoin('events as e', 'e.id', 'r.eventId')
    .where('r.eventId', '=', eventId)
    .where('r.linkHash', '=', linkHash)
    .select(['r.id as refundId', 'r.state', 'r.cents', 'r.createdAt', 'r.sendAfter', 'r.sendingAt', 'r.sentAt'])
    .select(['r.settledAt', 'r.failedAt', 'r.endedAt', 't.ticketName'])
    .select(OWN_NUMBER.as('confirmationNumber'))
    .select(['e.title', 'e.timezone', 'e.cancelledAt', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}

/** One update decides between stopping and sending the refund. Null if it was not stopped in time. */
export async function cancelRefundRow(
  db: Db,
  eventId: string,
  linkHash: Buffer,
): Promise<{ refundId: string; ticketId: string } | null> {
  const { rows } = await sql<{ refundId: string; ticketId: string }>`
    update refunds
       set state = 'restored', ended_at = business_now()
     where event_id = ${eventId} and link_hash = ${linkHash}
       and state = 'claimed' and sending_at is null and business_now() < send_after
    returning id as refund_id, ticket_id`.execute(db);
  return rows[0] ?? null;
}
