/** Every transaction locks stock before the order row; the reverse would deadlock. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { fulfillOrder } from '#server/payments/checkout/fulfill-order.ts';
import { refundReviewed } from '#server/payments/checkout/review-order.ts';
import { applyRefunds } from '#server/payments/refunds/apply-refunds.ts';
import { clearFaults, planFault, reservedOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { releaseReservation } from './release-reservation.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await app.restartJobs();
  await clearFaults(app);
});

interface PaidOrder {
  eventId: string;
  orderId: string;
  sessionId: string;
}

/** A paid order whose webhooks were dropped. */
async function paidWithoutWebhook(): Promise<PaidOrder> {
  const { eventId } = await eventOnSale(app);
  await planFault(app, { webhook: 'drop', times: 1000 });
  const checkout = await openCheckout(app, eventId, generalAdmission(1));
  await checkout.pay('lock@example.com');
  await app.settle();
  const { id: orderId } = await app.db
    .selectFrom('orders')
    .where('eventId', '=', eventId)
    .select('id')
    .executeTakeFirstOrThrow();
  return { eventId, orderId, sessionId: checkout.sessionId };
}

async function fulfill(order: PaidOrder): Promise<void> {
  const session = await app.deps.paymentProcessor.readCheckout(order.sessionId);
  if (session) await fulfillOrder(app.deps, order, session);
}

const operations = {
  'an expiring reservation': {
    before: async () => {},
    operate: (order: PaidOrder) => releaseReservation(app.deps, order),
    left: 0,
  },
  'a payment after the reservation expired': {
    before: (order: PaidOrder) => releaseReservation(app.deps, order),
    operate: fulfill,
    left: 1,
  },
  'a payment for a cancelled event': {
    before: async ({ eventId }: PaidOrder) => {
      await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    },
    operate: fulfill,
    left: 0,
  },
  'an operator refunding an order under review': {
    before: async (order: PaidOrder) => {
      await app.db.updateTable('orders').set({ totalCents: 100 }).where('id', '=', order.orderId).execute();
      await fulfill(order);
    },
    operate: (order: PaidOrder) => refundReviewed(app.deps, order),
    left: 0,
  },
};

it.each(Object.entries(operations))(
  '%s and a refund of the same order do not deadlock',
  async (_, { before, operate, left }) => {
    const order = await paidWithoutWebhook();
    await before(order);
    // Background jobs would add to the transaction count.
    await app.endJobs();
    const refund = {
      stripeRefundId: 're_later',
      refundId: null,
      ticketId: null,
      cents: 5_00,
      state: 'succeeded' as const,
      hasMoved: true,
      failure: null,
    };
    const transactions = vi.spyOn(app.deps.db, 'transaction');

    // The test locks the stock until both are blocked, the refund first.
    const { results } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', order.eventId).select('id').forUpdate().execute();
      const applying = applyRefunds(app.deps, order, { chargedCents: 24_00, refunds: [refund] });
      await app.untilBlocked(1);
      const acting = operate(order);
      await app.untilBlocked(2);
      return { results: Promise.all([applying, acting]) };
    });
    await results;

    // A third transaction would be a retry after a deadlock.
    expect(transactions).toHaveBeenCalledTimes(2);
    expect(await reservedOf(app, order.eventId)).toBe(left);
  },
);
