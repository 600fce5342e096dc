import { sql } from 'kysely';
import type { Db } from '#server/database.ts';
import type { Schema } from '#server/schema.ts';

/** Locked against being cancelled, edited or paid out until the refund is claimed, or booked. */
export async function lockEventForRefund(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['latestEndsAt', 'cancelledAt', sql<Date>`business_now()`.as('now')])
    .forShare()
    .executeTakeFirst();
}

/** Locks the ticket, so that the door and the refund desk cannot both win. */
export async function lockTicket(db: Db, eventId: string, confirmationNumber: string) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('confirmationNumber', '=', confirmationNumber)
    .select(['id', 'orderId', 'priceCents', 'state'])
    .forUpdate()
    .executeTakeFirst();
}

/** The next tickets of a cancelled event whose refunds are not claimed yet. */
export async function lockTicketsToRefund(db: Db, eventId: string, limit: number) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('state', 'in', ['valid', 'scanned'])
    .select(['id', 'orderId', 'priceCents', 'buyerEmail', sql<Date>`business_now()`.as('now')])
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
}

export async function setTicketsState(
  db: Db,
  eventId: string,
  ticketIds: readonly string[],
  state: 'refunding' | 'refunded',
): Promise<void> {
  await db.updateTable('tickets').set({ state }).where('eventId', '=', eventId).where('id', 'in', ticketIds).execute();
}

/** The ticket is good again: its money stays where it is. */
export async function restoreTicket(db: Db, eventId: string, ticketId: string): Promise<void> {
  await db
    .updateTable('tickets')
    .set({ state: 'valid' })
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .where('state', '=', 'refunding')
    .execute();
}

export type NewRefund = Omit<Schema['refunds'], 'state' | 'providerRefundId' | 'refusal' | 'sentAt'>;

export async function insertRefunds(db: Db, refunds: readonly NewRefund[]): Promise<void> {
  await db
    .insertInto('refunds')
    .values(refunds.map((refund) => ({ ...refund, providerRefundId: null, refusal: null, sentAt: null })))
    .execute();
}

export interface RefundRef {
  eventId: string;
  refundId: string;
}

export async function claimedRefund(db: Db, { eventId, refundId }: RefundRef) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'r.eventId').onRef('o.id', '=', 'r.orderId'))
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .where('r.state', '=', 'claimed')
    .select(['r.orderId', 'r.cents', 'o.paymentId'])
    .select(sql<number>`extract(epoch from business_now() - r.created_at)::float8`.as('ageSeconds'))
    .executeTakeFirst();
}

/** Of several who come back with the card company's answer, one finds the refund still claimed. */
export async function lockClaimedRefund(db: Db, { eventId, refundId }: RefundRef) {
  return db
    .selectFrom('refunds as r')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'r.eventId').onRef('o.id', '=', 'r.orderId'))
    .leftJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'r.eventId').onRef('t.id', '=', 'r.ticketId'))
    .where('r.eventId', '=', eventId)
    .where('r.id', '=', refundId)
    .where('r.state', '=', 'claimed')
    .select(['r.cents', 'r.reason', 'r.ticketId', 't.ticketTypeId', 'o.buyerEmail'])
    .forUpdate('r')
    .executeTakeFirst();
}

export async function markRefundSent(
  db: Db,
  { eventId, refundId }: RefundRef,
  sent: { providerRefundId: string | null; sentAt: Date },
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ ...sent, state: 'sent' })
    .where('eventId', '=', eventId)
    .where('id', '=', refundId)
    .execute();
}

export async function markRefundRefused(db: Db, { eventId, refundId }: RefundRef, refusal: string): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ state: 'refused', refusal })
    .where('eventId', '=', eventId)
    .where('id', '=', refundId)
    .execute();
}

export async function giveBackPlace(db: Db, eventId: string, ticketTypeId: string): Promise<void> {
  await db
    .updateTable('ticketTypes')
    .set((column) => ({ reserved: column('reserved', '-', 1) }))
    .where('eventId', '=', eventId)
    .where('id', '=', ticketTypeId)
    .execute();
}

/** How far the refunds of cancelled events are; tickets that were given back before are no part of it. */
export async function cancellationCounts(db: Db, eventIds: readonly string[]) {
  if (eventIds.length === 0) return [];
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .leftJoin('refunds as r', (join) =>
      join.onRef('r.eventId', '=', 't.eventId').onRef('r.ticketId', '=', 't.id').on('r.reason', '=', 'event-cancelled'),
    )
    .where('t.eventId', 'in', eventIds)
    .where('e.cancelledAt', 'is not', null)
    .where((where) => where.or([where('t.state', 'in', ['valid', 'scanned']), where('r.id', 'is not', null)]))
    .groupBy('t.eventId')
    .select((column) => [
      't.eventId',
      column.fn.countAll<number>().as('refunds'),
      column.fn.countAll<number>().filterWhere('r.state', '=', 'sent').as('refunded'),
    ])
    .execute();
}
