/** Data for emails about refunds, payouts and disputes. */
import { sql } from 'kysely';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';

/** The ticket is null when the whole order is refunded. */
export function refundForEmail(db: Db, eventId: string, refundId: string) {
  return (
    db
      .selectFrom('refunds as r')
      .innerJoin('events as e', 'e.id', 'r.eventId')
      .innerJoin('organizations as g', 'g.id', 'e.organizationId')
      .leftJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
      .where('r.eventId', '=', eventId)
      .where('r.id', '=', refundId)
      .select(['e.title', 'e.timezone', 'g.name as organizationName', 't.ticketName'])
      // The number of a transferred ticket is its holder's.
      .select(
        sql<string | null>`case when t.transferred_count = 0 then t.confirmation_number end`.as('confirmationNumber'),
      )
      .select(['r.cents', 'r.reason', 'r.state', 'r.sendAfter', 'r.linkHash'])
      .executeTakeFirst()
  );
}

/** The tickets that a member refunded together, without those that Stripe refused. */
export function ticketsOfAction(db: Db, eventId: string, actionId: string) {
  return db
    .selectFrom('refunds as first')
    .innerJoin('refunds as r', (join) =>
      join
        .onRef('r.eventId', '=', 'first.eventId')
        .onRef('r.orderId', '=', 'first.orderId')
        .onRef('r.actionId', '=', 'first.id'),
    )
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .innerJoin('events as e', 'e.id', 'r.eventId')
    .innerJoin('organizations as g', 'g.id', 'e.organizationId')
    .where('first.eventId', '=', eventId)
    .where('first.id', '=', actionId)
    .where('r.state', 'in', ['sent', 'failed'])
    .select(['e.title', 'g.name as organizationName', 'r.note', 'r.cents', 't.ticketName'])
    .select(
      sql<string | null>`case when t.transferred_count = 0 then t.confirmation_number end`.as('confirmationNumber'),
    )
    .orderBy('t.id')
    .execute();
}

/** A cancelled event with the tickets that the address paid for or holds, except those refunded before the cancellation. */
export async function cancelledForEmail(db: Db, eventId: string, buyerEmail: string) {
  const event = await db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['title', 'timezone', 'startsAt', 'seriesId'])
    .executeTakeFirst();
  const tickets = await ticketsOfAddress(db, eventId, buyerEmail)
    // The job that claims the refunds may not have reached some of these tickets yet.
    .where((where) =>
      where.or([
        where('t.state', 'in', SOLD_STATES),
        // `exists`, not a join: a ticket whose refund was refused has a second one.
        where.exists(
          where
            .selectFrom('refunds as r')
            .whereRef('r.eventId', '=', 't.eventId')
            .whereRef('r.ticketId', '=', 't.id')
            .where('r.reason', '=', 'event-cancelled')
            .select('r.id'),
        ),
      ]),
    )
    .select(['t.ticketName', 't.priceCents'])
    .orderBy('t.id')
    .execute();
  return event && tickets.length > 0 ? { ...event, tickets } : null;
}

/** Tickets that still admit a guest, of those that the address paid for or holds. */
export function ticketsToLink(db: Db, eventId: string, buyerEmail: string) {
  return ticketsOfAddress(db, eventId, buyerEmail)
    .where('t.state', 'in', SOLD_STATES)
    .select(['t.id as ticketId', 't.transferredCount', 't.orderId', 'o.linkVersion'])
    .select(
      // While a payment is disputed, its money can't be refunded.
      sql<number>`case when t.disputed_at is null and t.state = 'valid' then t.price_cents else 0 end`.as(
        'refundableCents',
      ),
    )
    .select(sql<boolean>`t.transferred_count > 0 and lower(t.buyer_email) = lower(${buyerEmail})`.as('wasReceived'))
    .execute();
}

function ticketsOfAddress(db: Db, eventId: string, address: string) {
  return (
    db
      .selectFrom('tickets as t')
      .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 't.eventId').onRef('o.id', '=', 't.orderId'))
      .where('t.eventId', '=', eventId)
      .where((eb) =>
        eb.or([
          eb(eb.fn('lower', ['t.buyerEmail']), '=', address.toLowerCase()),
          eb.and([eb('t.transferredCount', '>', 0), eb(eb.fn('lower', ['o.buyerEmail']), '=', address.toLowerCase())]),
        ]),
      )
      // The money of a transferred ticket is its payer's.
      .select(sql<boolean>`lower(o.buyer_email) is distinct from lower(${address})`.as('isHeld'))
  );
}

export function payoutForEmail(db: Db, eventId: string, payoutId: string) {
  return db
    .selectFrom('payouts as p')
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('p.eventId', '=', eventId)
    .where('p.id', '=', payoutId)
    .select(['e.title', 'e.timezone', 'p.seq', 'p.statement'])
    .executeTakeFirst();
}

/** `cents`: the amount received for the order. */
export function unfulfillableForEmail(db: Db, eventId: string, orderId: string) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .where('o.eventId', '=', eventId)
    .where('o.id', '=', orderId)
    .select((column) => ['e.title', column.fn.coalesce('o.receivedCents', 'o.totalCents').as('cents')])
    .executeTakeFirst();
}

/** A dispute with its effect on the event's payout. */
/** Undefined once the bank's deadline has passed or the dispute has ended. */
export function evidenceDueForEmail(db: Db, eventId: string, disputeId: string) {
  return db
    .selectFrom('disputes as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .where('d.eventId', '=', eventId)
    .where('d.id', '=', disputeId)
    .where('d.state', 'in', ['open', 'inquiry'])
    .where('d.dueAt', '>', sql<Date>`business_now()`)
    .select(['e.title', 'e.timezone', 'd.cents'])
    .select((column) => column.ref('d.dueAt').$notNull().as('dueAt'))
    .executeTakeFirst();
}

export function disputeForEmail(db: Db, eventId: string, disputeId: string) {
  return db
    .selectFrom('disputes as d')
    .innerJoin('events as e', 'e.id', 'd.eventId')
    .leftJoin('transferReversals as r', (join) =>
      join.onRef('r.eventId', '=', 'd.eventId').onRef('r.disputeId', '=', 'd.id'),
    )
    .where('d.eventId', '=', eventId)
    .where('d.id', '=', disputeId)
    .select((column) => [
      'e.title',
      'e.cancelledAt',
      'd.cents',
      'd.state',
      'd.excludedFrom',
      column('r.grossCents', '-', column.ref('r.feesCents')).as('reversedCents'),
      sql<boolean>`coalesce(r.used_cents = r.gross_cents, false)`.as('isUsed'),
      column.fn.coalesce('r.reserveCents', sql<number>`0`).as('reserveCents'),
      column
        .exists(
          column
            .selectFrom('tickets as t')
            .whereRef('t.eventId', '=', 'd.eventId')
            .whereRef('t.orderId', '=', 'd.orderId')
            .where('t.state', 'in', SOLD_STATES)
            .select('t.id'),
        )
        .as('hasValidTickets'),
    ])
    .executeTakeFirst();
}
