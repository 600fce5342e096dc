/** What the mails about money tell. */
import type { Db } from '#server/database.ts';

/** A refund with its ticket. */
export function refundForMail(db: Db, eventId: string, refundId: string) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .innerJoin('events as e', 'e.id', 'r.eventId')
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .select(['e.title', 't.ticketName', 't.confirmationNumber', 'r.cents'])
    .executeTakeFirst();
}

/** A cancelled event with what one buyer gets back for it: all of their tickets that were not given back before. */
export async function cancelledForMail(db: Db, eventId: string, buyerEmail: string) {
  const event = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['title', 'timezone', 'startsAt'])
    .executeTakeFirst();
  const tickets = await db
    .selectFrom('tickets as t')
    .leftJoin('refunds as r', (join) =>
      join.onRef('r.eventId', '=', 't.eventId').onRef('r.ticketId', '=', 't.id').on('r.reason', '=', 'event-cancelled'),
    )
    .where('t.eventId', '=', eventId)
    .where((eb) => eb(eb.fn('lower', ['t.buyerEmail']), '=', buyerEmail.toLowerCase()))
    // The job that claims the refunds may still be on its way to some of them.
    .where((where) => where.or([where('t.state', 'in', ['valid', 'scanned']), where('r.id', 'is not', null)]))
    .select(['t.ticketName', 't.priceCents'])
    .orderBy('t.id')
    .execute();
  return event && tickets.length > 0 ? { ...event, tickets } : null;
}

export function payoutForMail(db: Db, eventId: string, payoutId: string) {
  return db
    .selectFrom('payouts as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('p.eventId', '=', eventId)
    .where('p.id', '=', payoutId)
    .select(['e.title', 'p.statement'])
    .executeTakeFirst();
}
