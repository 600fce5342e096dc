import type { Db } from '#server/database.ts';
import { newId } from '#server/new-id.ts';

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
  return db
    .selectFrom('tickets as t')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 't.eventId').onRef('o.id', '=', 't.orderId'))
    .innerJoin('events as e', 'e.id', 't.eventId')
    .innerJoin('ticketTypes as tt', (join) =>
      join.onRef('tt.eventId', '=', 't.eventId').onRef('tt.id', '=', 't.ticketTypeId'),
    )
    .where('t.eventId', '=', eventId)
    .where('t.state', 'in', ['valid', 'scanned'])
    .where((eb) => ('orderId' in of ? eb('t.orderId', '=', of.orderId) : eb('t.id', '=', of.ticketId)))
    .select(['t.ticketName', 't.confirmationNumber', 'o.sessionId'])
    .select(['e.title', 'e.street', 'e.city', 'e.state', 'e.postalCode', 'e.timezone', 'e.startsAt'])
    .orderBy('tt.position')
    .orderBy('t.id')
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
