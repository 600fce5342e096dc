/** Whoever holds both takes the stock before the order: otherwise two of them wait for each other. */
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

interface Stage {
  eventId: string;
  orderId: string;
  sessionId: string;
}

/** Paid, and nobody has told us yet. */
async function paidInSilence(): Promise<Stage> {
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

async function fulfil(stage: Stage): Promise<void> {
  const session = await app.deps.cards.readCheckout(stage.sessionId);
  if (session) await fulfillOrder(app.deps, stage, session);
}

const acts = {
  'a hold that ends': { before: async () => {}, act: (stage: Stage) => releaseReservation(app.deps, stage), left: 0 },
  'a payment that comes after its hold': {
    before: (stage: Stage) => releaseReservation(app.deps, stage),
    act: fulfil,
    left: 1,
  },
  'a payment of a cancelled event': {
    before: async ({ eventId }: Stage) => {
      await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', eventId).execute();
    },
    act: fulfil,
    left: 0,
  },
  'an operator who gives back what was set aside': {
    before: async (stage: Stage) => {
      await app.db.updateTable('orders').set({ totalCents: 100 }).where('id', '=', stage.orderId).execute();
      await fulfil(stage);
    },
    act: (stage: Stage) => refundReviewed(app.deps, stage),
    left: 0,
  },
};

it.each(Object.entries(acts))('%s and a refund of the same order pass each other', async (_, { before, act, left }) => {
  const stage = await paidInSilence();
  await before(stage);
  // Their transactions are not counted.
  await app.endJobs();
  const refund = {
    providerRefundId: 're_later',
    refundId: null,
    ticketId: null,
    cents: 5_00,
    state: 'succeeded' as const,
    hasMoved: true,
    failure: null,
  };
  const transactions = vi.spyOn(app.deps.db, 'transaction');

  // The stock is held by the test until both of them stand in line, the refund first.
  const { both } = await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('ticketTypes').where('eventId', '=', stage.eventId).select('id').forUpdate().execute();
    const applying = applyRefunds(app.deps, stage, { chargedCents: 24_00, refunds: [refund] });
    await app.untilBlocked(1);
    const acting = act(stage);
    await app.untilBlocked(2);
    return { both: Promise.all([applying, acting]) };
  });
  await both;

  // One more would be the repetition of a transaction that PostgreSQL ended.
  expect(transactions).toHaveBeenCalledTimes(2);
  expect(await reservedOf(app, stage.eventId)).toBe(left);
});
