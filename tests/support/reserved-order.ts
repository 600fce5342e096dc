/** Orders as the checkout leaves them with an open payment page, and their payments as Stripe reports them. */
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';

export interface ReservedOrder {
  eventId: string;
  orderId: string;
  sessionId: string;
  totalCents: number;
}

/** Reserves a quantity of each ticket type, by name. */
export async function reservedOrder(
  db: Db,
  eventId: string,
  cart: Readonly<Record<string, number>>,
  change: { sessionId?: null } = {},
): Promise<ReservedOrder> {
  const types = await db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .select(['id', 'name', 'priceCents'])
    .execute();
  const lines = types
    .map(({ id, name, priceCents }) => ({
      ticketTypeId: id,
      position: Object.keys(cart).indexOf(name) + 1,
      ticketName: name,
      listPriceCents: priceCents,
      unitPriceCents: priceCents,
      quantity: cart[name] ?? 0,
    }))
    .filter((line) => line.quantity > 0);
  const orderId = newId();
  const sessionId = `cs_test_${orderId}`;
  const totalCents = lines.reduce((sum, line) => sum + line.unitPriceCents * line.quantity, 0);
  const at = new Date('2026-05-01T10:00:00Z');

  const order = { eventId, id: orderId, state: 'reserved' as const, totalCents, sessionId, ...change };
  await db
    .insertInto('orders')
    .values({ ...order, reservationExpiresAt: new Date('2100-01-01T00:00:00Z'), createdAt: at })
    .execute();
  for (const line of lines) {
    await db
      .insertInto('orderLines')
      .values({ ...line, eventId, orderId })
      .execute();
    await db
      .updateTable('ticketTypes')
      .set((column) => ({ reserved: column('reserved', '+', line.quantity) }))
      .where('eventId', '=', eventId)
      .where('id', '=', line.ticketTypeId)
      .execute();
  }
  return { eventId, orderId, sessionId, totalCents };
}

/** The checkout session of a reserved order after payment. */
export function paidSession(order: ReservedOrder, change: Partial<CheckoutSession> = {}): CheckoutSession {
  const { eventId, orderId, sessionId, totalCents } = order;
  return {
    eventId,
    orderId,
    sessionId,
    totalCents,
    url: null,
    state: 'complete',
    isPaid: true,
    currency: 'usd',
    buyerEmail: 'sam@example.com',
    buyerName: 'Sam Buyer',
    paymentId: totalCents === 0 ? null : `pi_${orderId}`,
    feeCents: null,
    cardHash: null,
    ...change,
  };
}
