/** A rush that fills the checkout queue, and a buyer of another event who comes after it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession, queuedCheckout } from '#contract/app/checkout.ts';
import { startWorker, type Worker } from '#server/main/worker.ts';
import { reserveCarts } from '#server/orders/core/stock.sql.ts';
import type { Pool } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { QUEUE_TIMES } from '#server/platform/jobs/queue-times.ts';
import { eventForm, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const RUSH = 10_000;
const BATCH = 500;
const PAGES_PER_SECOND = 20;
const SECONDS = 2;

let app: TestApp;
let pool: Pool;
let worker: Worker;
beforeAll(async () => {
  app = await startTestApp({ pagesPerSecond: PAGES_PER_SECOND, runsJobs: false });
  pool = await poolOf(app);
});
afterAll(async () => {
  await worker?.stop();
  await pool.end();
  await app.close();
});

/** As many orders as buyers who open a payment page at once. */
async function fillQueue(): Promise<string> {
  const [hall] = eventForm(app).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  const { eventId } = await eventOnSale(app, { tickets: [{ ...hall, ticketQuantity: RUSH }] });
  const shown = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId);
  const line = await shown
    .select([
      'id as ticketTypeId',
      'name as ticketName',
      'priceCents as unitPriceCents',
      'priceCents as listPriceCents',
      sql<null>`null`.as('promoCodeId'),
      sql<number>`1`.as('quantity'),
    ])
    .executeTakeFirstOrThrow();
  const order = { eventId, cartId: null, totalCents: line.unitPriceCents, networkHash: null, lines: [line] };
  const terms = {
    reservationMinutes: 30,
    lockTimeoutMs: 5_000,
    pagesPerSecond: PAGES_PER_SECOND,
    unpaidMax: null,
  };
  for (let reserved = 0; reserved < RUSH; reserved += BATCH) {
    const carts = Array.from({ length: BATCH }, () => ({ ...order, orderId: newId() }));
    await reserveCarts(app.db, carts, terms);
  }
  return eventId;
}

/** Notes the events of payment pages in the order in which they open. */
function notingPages({ paymentProcessor }: TestApp['deps'], opened: string[]) {
  return {
    ...paymentProcessor,
    openCheckout: (order: Parameters<typeof paymentProcessor.openCheckout>[0]) => {
      opened.push(order.eventId);
      return paymentProcessor.openCheckout(order);
    },
  };
}

describe('10,000 buyers of one event in the checkout queue', () => {
  it('delay the first buyer of another event by less than two seconds of pages [RES-5]', async () => {
    const { eventId } = await eventOnSale(app);
    const rush = await fillQueue();
    const opened: string[] = [];
    const paymentProcessor = notingPages(app.deps, opened);
    worker = await startWorker({ ...app.deps, paymentProcessor }, pool, { ...QUEUE_TIMES, roundMs: 100 });
    await expect.poll(() => opened.length).toBeGreaterThan(0);

    const { queue } = expectOk(await app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(2) }));
    expect(queue?.before).toBeLessThanOrEqual(1);
    expect(queue?.askInSeconds).toBe(1);
    const openedBefore = opened.length;
    const read = async () => expectOk(await app.call(queuedCheckout, { handle: queue?.handle ?? '' })).queue;
    await expect.poll(read).toBeUndefined();

    // In pages rather than in time, because the machine may be busy.
    expect(opened).toContain(eventId);
    expect(opened.indexOf(eventId) - openedBefore).toBeLessThanOrEqual(PAGES_PER_SECOND * SECONDS);
    const waiting = app.db.selectFrom('checkoutQueue').where('eventId', '=', rush);
    const { count } = await waiting.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
    expect(count).toBeGreaterThan(RUSH / 2);
  });
});
