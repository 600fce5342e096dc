import type { Db } from '#server/platform/database.ts';
import { newAttendantCode, newId, newPublicId } from '#server/platform/ids.ts';
import { actorOf } from './actor-of.ts';
import { newConfirmationNumber } from './confirmation-number.ts';
import { STANDARD_TERMS } from './standard-terms.ts';

/** A paid order with its tickets, as the checkout leaves it, of a new event. */
export async function soldOrder(
  db: Db,
  sale: { organizerEmail: string; buyerEmail?: string; title?: string; ticketNames?: string[] },
) {
  const { buyerEmail = 'sam@example.com', title = 'Basement Brass', ticketNames = ['General admission'] } = sale;
  const now = new Date();
  const { organizationId } = await actorOf(db, sale.organizerEmail);
  const eventId = newPublicId();
  const startsAt = new Date('2026-06-13T00:00:00Z');
  const place = { street: '38 Withers St', city: 'Brooklyn', state: 'NY', postalCode: '11211' };
  const event = {
    id: eventId,
    recordId: newId(),
    organizationId,
    title,
    description: 'Loud.',
    ...place,
    startsAt,
    createdAt: now,
    publishedAt: now,
  };
  await db
    .insertInto('events')
    .values({
      ...event,
      timezone: 'America/New_York',
      endsAt: new Date('2026-06-13T03:30:00Z'),
      feeTerms: JSON.stringify(STANDARD_TERMS),
      participants: '120',
      latitude: 40.71,
      longitude: -73.95,
      attendantCode: newAttendantCode(),
      cancelledAt: null,
    })
    .execute();

  const types = [...new Set(ticketNames)].map((name, position) => ({
    id: newId(),
    lineId: newId(),
    position,
    name,
    sold: ticketNames.filter((one) => one === name).length,
  }));
  await db
    .insertInto('ticketTypes')
    .values(
      types.map(({ sold, lineId: _lineId, ...type }) => ({
        eventId,
        ...type,
        description: 'A ticket',
        priceCents: 24_00,
        quantity: 500,
        reserved: sold,
      })),
    )
    .execute();

  const orderId = newId();
  const sessionId = `cs_test_${orderId}`;
  const order = {
    eventId,
    id: orderId,
    state: 'paid' as const,
    totalCents: 24_00 * ticketNames.length,
    sessionId,
    buyerEmail,
  };
  await db
    .insertInto('orders')
    .values({ ...order, sessionUrl: null, paymentId: 'pi_1', reservationExpiresAt: now, createdAt: now, paidAt: now })
    .execute();

  await db
    .insertInto('orderLines')
    .values(
      types.map(({ id: ticketTypeId, lineId: id, name: ticketName, position, sold }) => ({
        eventId,
        orderId,
        id,
        ticketTypeId,
        position: position + 1,
        ticketName,
        listPriceCents: 24_00,
        unitPriceCents: 24_00,
        quantity: sold,
      })),
    )
    .execute();

  const typeNamed = (name: string) => types.find((type) => type.name === name);
  const tickets = ticketNames.map((ticketName) => ({
    eventId,
    id: newId(),
    orderId,
    orderLineId: typeNamed(ticketName)?.lineId ?? '',
    ticketTypeId: typeNamed(ticketName)?.id ?? '',
    confirmationNumber: newConfirmationNumber(),
    ticketName,
    priceCents: 24_00,
    buyerEmail,
    issuedAt: now,
  }));
  await db
    .insertInto('tickets')
    .values(tickets.map((ticket) => ({ ...ticket, scannedAt: null, scannedBy: null })))
    .execute();
  return { eventId, orderId, sessionId, buyerEmail, tickets };
}
