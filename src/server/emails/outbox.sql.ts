import { sql } from 'kysely';
import { SOLD_STATES } from '#domain/tickets.ts';
import type { Db } from '#server/platform/database.ts';
import type { NumberedTicket } from '#server/platform/schema/orders.ts';

/**
 * Tickets that still admit a guest, of an order or a single one, with their order. Only those that are the address's: it may have been
 * corrected since its email was queued, and the ticket transferred.
 */
export function usableTickets(
  db: Db,
  eventId: string,
  wanted: ({ orderId: string } | { ticketId: string }) & { toAddress: string },
) {
  const orderId =
    'orderId' in wanted
      ? wanted.orderId
      : db.selectFrom('tickets').where('eventId', '=', eventId).where('id', '=', wanted.ticketId).select('orderId');
  return db
    .selectFrom(sql<NumberedTicket>`tickets_of_order(${eventId}, ${orderId})`.as('numbered'))
    .innerJoin('tickets as t', 't.id', 'numbered.ticketId')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 't.eventId').onRef('o.id', '=', 't.orderId'))
    .innerJoin('orderLines as l', (join) =>
      join
        .onRef('l.eventId', '=', 't.eventId')
        .onRef('l.orderId', '=', 't.orderId')
        .onRef('l.id', '=', 't.orderLineId'),
    )
    .innerJoin('ticketTypes as y', (join) =>
      join.onRef('y.eventId', '=', 't.eventId').onRef('y.id', '=', 't.ticketTypeId'),
    )
    .leftJoin('promoCodes as c', (join) =>
      join.onRef('c.eventId', '=', 'l.eventId').onRef('c.id', '=', 'l.promoCodeId'),
    )
    .leftJoin('orderGuests as w', (join) =>
      join
        .onRef('w.eventId', '=', 't.eventId')
        .onRef('w.orderId', '=', 't.orderId')
        .onRef('w.position', '=', 'numbered.position'),
    )
    .where('t.eventId', '=', eventId)
    .where('t.state', 'in', SOLD_STATES)
    .where((eb) => eb(eb.fn('lower', ['t.buyerEmail']), '=', wanted.toAddress.toLowerCase()))
    .where((eb) =>
      'ticketId' in wanted
        ? eb('t.id', '=', wanted.ticketId)
        : eb.and([eb('t.orderId', '=', wanted.orderId), eb('t.transferredCount', '=', 0)]),
    )
    .select(['t.ticketName', 't.confirmationNumber', 'numbered.position', 'numbered.orderSize as of', 't.orderId'])
    .select(['t.id as ticketId', 't.transferredCount', 'o.linkVersion'])
    .select([
      't.priceCents',
      'c.code as promoCode',
      'y.isAddOn',
      'l.source',
      'w.name as guestName',
      'o.buyerName',
      'o.totalCents',
      'o.paidAt',
      'o.rebuiltAt',
    ])
    .orderBy('numbered.position')
    .execute();
}

export function orderToLink(db: Db, eventId: string, orderId: string) {
  return db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['eventId', 'id as orderId', 'linkVersion'])
    .executeTakeFirst();
}

const FOUND_ORDERS_MAX = 20;

/** The address's orders with tickets that still admit to events that aren't over, soonest first. Not for transferred ones. */
export function comingOrdersOf(db: Db, email: string) {
  return db
    .selectFrom('orders as o')
    .innerJoin('events as e', 'e.id', 'o.eventId')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'o.eventId').onRef('t.orderId', '=', 'o.id'))
    .where(sql<boolean>`lower(o.buyer_email) = lower(${email.trim()})`)
    .where('o.state', '=', 'paid')
    .where('t.state', 'in', SOLD_STATES)
    .where('t.transferredCount', '=', 0)
    .where('e.cancelledAt', 'is', null)
    .where('e.endsAt', '>', sql<Date>`business_now()`)
    .groupBy(['o.eventId', 'o.id', 'o.buyerEmail', 'o.linkVersion', 'o.paidAt', 'e.title', 'e.timezone', 'e.startsAt'])
    .select(['o.eventId', 'o.id as orderId', 'o.buyerEmail', 'o.linkVersion', 'e.title', 'e.timezone', 'e.startsAt'])
    .select((column) => column.fn.countAll<number>().as('tickets'))
    .orderBy('e.startsAt')
    .orderBy('o.paidAt')
    .limit(FOUND_ORDERS_MAX)
    .execute();
}

/** The same of tickets that were transferred to the address. */
export function comingTicketsOf(db: Db, email: string) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where(sql<boolean>`lower(t.buyer_email) = lower(${email.trim()})`)
    .where('t.transferredCount', '>', 0)
    .where('t.state', 'in', SOLD_STATES)
    .where('e.cancelledAt', 'is', null)
    .where('e.endsAt', '>', sql<Date>`business_now()`)
    .select(['t.eventId', 't.id as ticketId', 't.transferredCount', 't.buyerEmail'])
    .select(['e.title', 'e.timezone', 'e.startsAt'])
    .orderBy('e.startsAt')
    .orderBy('t.id')
    .limit(FOUND_ORDERS_MAX)
    .execute();
}

/** What every email about a published event shows, and its calendar file. */
export async function eventForEmail(db: Db, eventId: string) {
  const found = await db
    .selectFrom('events as e')
    .innerJoin('organizations as g', 'g.id', 'e.organizationId')
    .where('e.id', '=', eventId)
    .where('e.isPublished', '=', true)
    .select(['e.id', 'e.title', 'e.street', 'e.city', 'e.state', 'e.postalCode', 'e.venueName', 'e.timezone'])
    .select(['e.startsAt', 'e.endsAt', 'e.checkInOpensAt', 'e.cancelledAt', 'g.name as organizationName'])
    .select(sql<Date>`settles_at(e.latest_ends_at)`.as('refundsUntil'))
    .select(({ selectFrom }) => [
      selectFrom('eventPhotos as p')
        .whereRef('p.eventId', '=', 'e.id')
        .select(sql<string>`p.file_name || ' ' || coalesce(p.focus_x || ' ' || p.focus_y, '')`.as('key'))
        .orderBy('p.isCover', 'desc')
        .orderBy('p.position')
        .orderBy('p.id')
        .limit(1)
        .as('coverKey'),
      selectFrom('eventChanges as c')
        .whereRef('c.eventId', '=', 'e.id')
        .select((column) => column.fn.countAll<number>().as('count'))
        .as('changes'),
    ])
    .executeTakeFirst();
  return found && { ...found, changes: Number(found.changes) };
}

export type EventForEmail = NonNullable<Awaited<ReturnType<typeof eventForEmail>>>;

/** The event as buyers last knew it, and as it is now. */
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

export async function storedLinkHash(db: Db, linkId: string): Promise<Buffer | null> {
  const link = await db
    .selectFrom('emailLinks')
    .where('id', '=', linkId)
    .select('tokenHash')
    .unionAll(db.selectFrom('invitations').where('id', '=', linkId).select('tokenHash'))
    .unionAll(db.selectFrom('privacyLinks').where('id', '=', linkId).select('tokenHash'))
    .executeTakeFirst();
  return link?.tokenHash ?? null;
}

export function invitationForEmail(db: Db, id: string) {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organizationId')
    .where('i.id', '=', id)
    .select(['i.role', 'o.name as organizationName'])
    .executeTakeFirst();
}

export async function organizationName(db: Db, organizationId: string): Promise<string | null> {
  const organization = await db
    .selectFrom('organizations')
    .where('id', '=', organizationId)
    .select('name')
    .executeTakeFirst();
  return organization?.name ?? null;
}

export function eventAtDoor(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select(['title', 'timezone', 'startsAt', 'endsAt', 'checkInOpensAt', 'checkInClosesAt', 'cancelledAt'])
    .executeTakeFirst();
}

export function earlyCheckInForEmail(db: Db, eventId: string, id: string) {
  return db
    .selectFrom('earlyCheckIns as c')
    .innerJoin('tickets as t', (join) => join.onRef('t.eventId', '=', 'c.eventId').onRef('t.id', '=', 'c.ticketId'))
    .innerJoin('events as e', 'e.id', 'c.eventId')
    .where('c.eventId', '=', eventId)
    .where('c.id', '=', id)
    .select(['c.scannedAt', 'c.outcome', 'c.endedAt', 't.ticketName'])
    .select(sql<string>`number_at(t.event_id, t.id, c.recorded_at)`.as('confirmationNumber'))
    .select(['e.title', 'e.timezone', 'e.startsAt', 'e.latestEndsAt', 'e.cancelledAt'])
    .executeTakeFirst();
}

/** Finds a ticket of the organization by the email and number that the guest list shows. */
export function ticketOfOrganization(db: Db, organizationId: string, email: string, confirmationNumber: string) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where('e.organizationId', '=', organizationId)
    .where('t.confirmationNumber', '=', confirmationNumber)
    .where((eb) => eb(eb.fn('lower', ['t.buyerEmail']), '=', email.toLowerCase()))
    .select(['t.eventId', 't.id', 't.buyerEmail', 't.state'])
    .$narrowType<{ buyerEmail: string }>()
    .executeTakeFirst();
}

/** What a former holder may still read. */
export function transferredForEmail(db: Db, eventId: string, ticketId: string) {
  return db
    .selectFrom('tickets as t')
    .innerJoin('events as e', 'e.id', 't.eventId')
    .where('t.eventId', '=', eventId)
    .where('t.id', '=', ticketId)
    .select(['t.ticketName', 'e.title', 'e.timezone', 'e.startsAt'])
    .executeTakeFirst();
}

export async function titleOfEvent(db: Db, eventId: string): Promise<string> {
  const event = await db.selectFrom('events').where('id', '=', eventId).select('title').executeTakeFirstOrThrow();
  return event.title;
}

/** Undefined once it is published or deleted. */
export async function draftForEmail(db: Db, eventId: string) {
  return db
    .selectFrom('events')
    .where('id', '=', eventId)
    .where('isPublished', '=', false)
    .select(['title', 'timezone'])
    .executeTakeFirst();
}

/** A free order by the proof of its address; undefined once nothing of it is held. */
export async function freeOrderForEmail(db: Db, proofId: string) {
  return db
    .selectFrom('emailProofs as p')
    .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'p.eventId').onRef('o.id', '=', 'p.orderId'))
    .innerJoin('events as e', 'e.id', 'p.eventId')
    .where('p.id', '=', proofId)
    .where('o.state', '=', 'reserved')
    .where('e.cancelledAt', 'is', null)
    .select(['p.eventId', 'p.orderId', 'p.email', 'o.createdAt', 'e.title', 'e.timezone', 'e.startsAt'])
    .select(({ selectFrom }) =>
      selectFrom('orderLines as l')
        .whereRef('l.eventId', '=', 'o.eventId')
        .whereRef('l.orderId', '=', 'o.id')
        .select(sql<number>`sum(l.quantity)::int`.as('tickets'))
        .as('tickets'),
    )
    .executeTakeFirst();
}
