/** Reservations that cannot be ended in the usual way. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkoutSession } from '#contract/app/checkout.ts';
import { reservedOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, goodCard, openCheckout } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { closeCheckouts } from './close-checkouts.ts';
import { settleLapsedOrders } from './settle-lapsed-orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function reserveTickets(isKnown = true) {
  const { eventId } = await eventOnSale(app);
  const checkout = await openCheckout(app, eventId, generalAdmission(1));
  if (!isKnown) await sql`delete from sandbox.objects where id = ${checkout.sessionId}`.execute(app.db);
  return { eventId, ...checkout };
}

it('releases the tickets of an order whose session is unknown to Stripe', async () => {
  const { eventId, sessionId } = await reserveTickets(false);

  await app.advance({ minutes: 32 });
  await settleLapsedOrders(app.deps);

  expect(await reservedOf(app, eventId)).toBe(0);
  expect((await app.call(checkoutSession, { sessionId })).body.status).toBe('expired');
});

it('releases its tickets when the event is cancelled', async () => {
  const { eventId } = await reserveTickets(false);

  await closeCheckouts(app.deps, { eventId });

  expect(await reservedOf(app, eventId)).toBe(0);
});

it('ends other orders while some cannot be ended yet', async () => {
  const slow = await reserveTickets();
  // The payment takes days.
  await slow.pay('slow@example.com', { ...goodCard, number: '000123456789' });
  await app.advance({ minutes: 1 });
  const left = await reserveTickets();
  await sql`update orders set reservation_expires_at = business_now() where state = 'reserved'`.execute(app.db);
  await sql`update orders set reservation_expires_at = reservation_expires_at - interval '1 minute' where event_id = ${slow.eventId}`.execute(
    app.db,
  );

  for (let run = 0; run < 2; run++) await settleLapsedOrders(app.deps, 1);

  expect([await reservedOf(app, slow.eventId), await reservedOf(app, left.eventId)]).toEqual([1, 0]);
});

it("ends pages at a quarter of the rate at which they open, so that both fit into Stripe's limit [RES-3]", async () => {
  const { eventId } = await eventOnSale(app);
  for (let n = 0; n < 3; n++) await openCheckout(app, eventId, generalAdmission(1));
  // The app's own job would take some of them.
  await app.endJobs();
  await app.advance({ minutes: 32 });
  const calledAt: number[] = [];
  const paymentProcessor: typeof app.deps.paymentProcessor = {
    ...app.deps.paymentProcessor,
    closeCheckout(sessionId) {
      calledAt.push(performance.now());
      return app.deps.paymentProcessor.closeCheckout(sessionId);
    },
  };

  const startedAt = performance.now();
  await settleLapsedOrders({ ...app.deps, paymentProcessor, pagesPerSecond: 20 });

  expect(calledAt.length).toBeGreaterThanOrEqual(3);
  // Five a second: none begins before its turn. A timer may fire a millisecond early.
  const early = calledAt.filter((at, turn) => at < startedAt + turn * 200 - 2);
  expect(early).toEqual([]);
  expect(await reservedOf(app, eventId)).toBe(0);
  await app.restartJobs();
});
