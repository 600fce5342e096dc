import { sql } from 'kysely';
import type { Db } from '#server/database.ts';
import { newId } from '#server/new-id.ts';
import type { NumberedTicket } from '#server/schema.ts';

export interface OutboxRow {
  kind: string;
  subjectId: string;
  version: number;
  toAddress: string;
  params: Record<string, string>;
  createdAt: Date;
  accountId: string | null;
}

/** Answers the new row's id, or nothing when this occasion already has its mail. */
export async function insertMail(db: Db, { params, ...row }: OutboxRow): Promise<string | undefined> {
  const inserted = await db
    .insertInto('mailOutbox')
    .values({ id: newId(), ...row, params: JSON.stringify(params) })
    .onConflict((conflict) => conflict.columns(['kind', 'subjectId', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

export async function nextVersionOf(db: Db, kind: string, subjectId: string): Promise<number> {
  const { newest } = await db
    .selectFrom('mailOutbox')
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .select((eb) => eb.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  return (newest ?? 0) + 1;
}

export function unsentMail(db: Db, mailId: string) {
  return db
    .selectFrom('mailOutbox')
    .where('id', '=', mailId)
    .where('sentAt', 'is', null)
    .select(['id', 'kind', 'subjectId', 'toAddress', 'params'])
    .executeTakeFirst();
}

/** The secrets that the mail carried are not kept. */
export async function markMailSent(db: Db, mailId: string, at: Date): Promise<void> {
  await db.updateTable('mailOutbox').set({ sentAt: at, params: '{}' }).where('id', '=', mailId).execute();
}

/** An order's tickets that still let someone in, with the event they are for. */
export function usableTickets(db: Db, eventId: string, of: { orderId: string } | { ticketId: string }) {
  const orderId =
    'orderId' in of
      ? of.orderId
      : db.selectFrom('tickets').where('eventId', '=', eventId).where('id', '=', of.ticketId).select('orderId');
  return db
    .selectFrom(sql<NumberedTicket>`tickets_of_order(${eventId}, ${orderId})`.as('numbered'))
    .innerJoin('tickets as t', 't.id', 'numbered.ticketId')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 't.eventId').onRef('o.id', '=', 't.orderId'))
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where('t.eventId', '=', eventId)
    .where('t.state', 'in', ['valid', 'scanned'])
    .where((eb) => ('ticketId' in of ? eb('t.id', '=', of.ticketId) : eb('t.orderId', '=', of.orderId)))
    .select(['t.ticketName', 't.confirmationNumber', 'numbered.position', 'numbered.orderSize as of', 'o.sessionId'])
    .select(['e.title', 'e.street', 'e.city', 'e.state', 'e.postalCode', 'e.timezone', 'e.startsAt'])
    .orderBy('numbered.position')
    .execute();
}

/** What buyers knew of an event before it was changed, and what it is now. */
export async function changeOfEvent(db: Db, eventId: string, changeId: string) {
  const before = await db
    .selectFrom('eventChanges')
    .where('eventId', '=', eventId)
    .where('id', '=', changeId)
    .selectAll()
    .executeTakeFirst();
  const now = await db.selectFrom('events').where('id', '=', eventId).selectAll().executeTakeFirst();
  return before && now ? { before, now } : null;
}

/** A ticket of one of this organizer's events, by what its guest list shows. */
export function ticketOfOrganizer(db: Db, organizerId: string, email: string, confirmationNumber: string) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where('e.organizerId', '=', organizerId)
    .where('t.confirmationNumber', '=', confirmationNumber)
    .where((eb) => eb(eb.fn('lower', ['t.buyerEmail']), '=', email.toLowerCase()))
    .select(['t.eventId', 't.id', 't.buyerEmail', 't.state'])
    .executeTakeFirst();
}
