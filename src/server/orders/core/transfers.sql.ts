/** Gives tickets and orders to other addresses. */
import { sql } from 'kysely';
import type { OrderRef } from '#domain/order.ts';
import type { Db } from '#server/platform/database.ts';

interface TicketRef {
  eventId: string;
  ticketId: string;
}

/** Key share: the switch may change meanwhile, and sales go on. */
export async function lockEventToTransfer(tx: Db, eventId: string) {
  return tx
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['startsAt', 'cancelledAt', 'allowsTicketTransfer'])
    .select(sql<Date>`business_now()`.as('now'))
    .forKeyShare()
    .executeTakeFirst();
}

/** Its number is part of a key, so the lock is the strongest. */
export async function lockTicketToTransfer(tx: Db, { eventId, ticketId }: TicketRef) {
  return tx
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .select(['state', 'disputedAt', 'transferredCount', 'buyerEmail'])
    .forUpdate()
    .executeTakeFirst();
}

export async function transferTo(tx: Db, { eventId, ticketId }: TicketRef, email: string, at: Date): Promise<void> {
  await sql`select transfer_ticket(${eventId}, ${ticketId}::uuid, ${email}, ${at})`.execute(tx);
}

export async function correctAddress(tx: Db, { eventId, orderId }: OrderRef, email: string): Promise<void> {
  await sql`select correct_address(${eventId}, ${orderId}::uuid, ${email})`.execute(tx);
}

/** The ticket of a link to it, with its order. */
export async function findHeldTicket(db: Db, { eventId, ticketId }: TicketRef) {
  return db
    .selectFrom('tickets')
    .where('eventId', '=', eventId)
    .where('id', '=', ticketId)
    .select(['id', 'orderId', 'buyerEmail', 'transferredCount'])
    .executeTakeFirst();
}

/** The ticket that had this number before it was transferred, and when. */
export async function findFormerNumber(db: Db, eventId: string, number: string) {
  return db
    .selectFrom('formerNumbers as f')
    .innerJoin('events as e', 'e.id', 'f.eventId')
    .where('f.eventId', '=', eventId)
    .where('f.number', '=', number)
    .select(['f.ticketId', 'f.replacedAt', 'e.timezone', sql<Date>`business_now()`.as('now')])
    .executeTakeFirst();
}
