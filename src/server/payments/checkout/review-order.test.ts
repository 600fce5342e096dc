import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { reviewReasons } from '#messages/checkout.ts';
import { errorText } from '#messages/errors.ts';
import { releaseReservation } from '#server/orders/release-reservation.ts';
import { ledgerOf, movementsAtStripe, reservedOf } from '#tests/support/money.ts';
import { emailsTo, eventOnSale, pay } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundReviewed } from './review-order.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const oneSeat = [{ ticketName: 'General admission', quantity: 1 }];

/** Pays $24.00 for an order that is changed in the meantime. */
async function payMismatched(email: string, change: object, beforePaying = async (_order: Ref) => {}) {
  const event = await eventOnSale(app);
  const buyer = app.visitor();
  const session = await buyer.call(contract.createCheckoutSession, { eventId: event.eventId, cartItems: oneSeat });
  const { id: orderId } = await app.db
    .updateTable('orders')
    .set(change)
    .where('eventId', '=', event.eventId)
    .returning('id')
    .executeTakeFirstOrThrow();
  const order = { eventId: event.eventId, orderId };
  await beforePaying(order);
  await pay(buyer, session.body.url, email);
  await app.settle();
  return { ...event, order, sessionId: session.body.id };
}
type Ref = { eventId: string; orderId: string };

const orderOf = ({ eventId, orderId }: Ref) =>
  app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .where('id', '=', orderId)
    .select(['state', 'reviewReason', 'receivedCents'])
    .executeTakeFirstOrThrow();

describe('a mismatched payment', () => {
  it('issues no tickets and keeps its stock until an operator decides', async () => {
    const { order, sessionId } = await payMismatched('odd@example.com', { totalCents: 100 });

    expect(await orderOf(order)).toEqual({ state: 'needs-review', reviewReason: 'other-amount', receivedCents: 24_00 });
    expect(Object.keys(reviewReasons)).toContain('other-amount');
    const page = await app.call(contract.checkoutSession, { sessionId });
    expect(page.body).toEqual({ status: 'in-review', confirmationData: [], order: null });
    expect(await emailsTo(app, 'odd@example.com')).toEqual([]);
    expect(await ledgerOf(app, order.eventId)).toEqual([
      'card-fee card-fees 100',
      'card-fee processor -100',
      'unfulfillable-sale owed-to-buyers -2400',
      'unfulfillable-sale processor 2400',
    ]);

    await app.advance({ hours: 2 });
    await settleLapsedOrders(app.deps);
    expect(await reservedOf(app, order.eventId)).toBe(1);
    expect(await movementsAtStripe(app, 'refund', order.eventId)).toEqual([]);
  });

  it('refunds exactly the received amount once the operator decides, and emails the buyer', async () => {
    const { order, sessionId } = await payMismatched('back@example.com', { totalCents: 1_000_00 });

    expect(await refundReviewed(app.deps, order)).toEqual({ cents: 24_00 });
    await expect(refundReviewed(app.deps, order)).rejects.toThrow(errorText('review.not-under-review'));
    await app.settle();

    expect(await movementsAtStripe(app, 'refund', order.eventId)).toMatchObject([{ amount: 24_00 }]);
    expect(await reservedOf(app, order.eventId)).toBe(0);
    const page = await app.call(contract.checkoutSession, { sessionId });
    expect(page.body.status).toBe('refunded');
    const emails = await emailsTo(app, 'back@example.com');
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain('$24.00');
    const owed = (await ledgerOf(app, order.eventId)).filter((entry) => entry.includes('owed-to-buyers'));
    expect(owed).toEqual(['refund-moved owed-to-buyers 2400', 'unfulfillable-sale owed-to-buyers -2400']);
  });

  it('is refunded once when two operators decide at the same time', async () => {
    const { order } = await payMismatched('two@example.com', { totalCents: 1 });

    const { both } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('orders').where('id', '=', order.orderId).select('id').forUpdate().execute();
      const both = Promise.allSettled([1, 2].map(() => refundReviewed(app.deps, order)));
      await app.untilBlocked(2);
      return { both };
    });

    const results = await both;
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ message: errorText('review.not-under-review') }) }),
    );
    await app.settle();
    expect(await movementsAtStripe(app, 'refund', order.eventId)).toHaveLength(1);
  });

  it('reserves its stock again if the reservation had expired', async () => {
    const release = (order: Ref) => releaseReservation(app.deps, order);
    const { order } = await payMismatched('late@example.com', { totalCents: 1 }, release);

    expect(await orderOf(order)).toMatchObject({ state: 'needs-review' });
    expect(await reservedOf(app, order.eventId)).toBe(1);
    await refundReviewed(app.deps, order);
    expect(await reservedOf(app, order.eventId)).toBe(0);
  });

  it('is refunded automatically if no stock is left', async () => {
    const sellOut = async (order: Ref) => {
      await releaseReservation(app.deps, order);
      await app.db
        .updateTable('ticketTypes')
        .set({ reserved: 100 })
        .where('eventId', '=', order.eventId)
        .where('name', '=', 'General admission')
        .execute();
    };
    const { order } = await payMismatched('nothing@example.com', { totalCents: 5_00 }, sellOut);

    expect(await orderOf(order)).toMatchObject({ state: 'unfulfillable', receivedCents: 24_00 });
    expect(await movementsAtStripe(app, 'refund', order.eventId)).toMatchObject([{ amount: 24_00 }]);
  });
});

describe('a payment during the cancellation of an event', () => {
  it('is refunded in full with one email that explains why', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const buyer = app.visitor();
    const session = await buyer.call(contract.createCheckoutSession, { eventId, cartItems: oneSeat });

    // Cancelled while the page is open, and paid before it is closed.
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    await pay(buyer, session.body.url, 'sorry@example.com');
    await visitor.call(cancelEvent, { eventId });

    const emails = await emailsTo(app, 'sorry@example.com');
    expect(emails).toHaveLength(1);
    expect(emails[0]?.text).toContain('The event was cancelled while you were paying.');
    expect(await movementsAtStripe(app, 'refund', eventId)).toMatchObject([{ amount: 24_00 }]);
    const page = await buyer.call(contract.checkoutSession, { sessionId: session.body.id });
    expect(page.body.status).toBe('refunded');
  });
});
