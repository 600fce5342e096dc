/** Checkouts that wait in the queue for a payment page, with their tickets reserved. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCheckoutSession, leaveQueuedCheckout, queuedCheckout } from '#contract/app/checkout.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { startWorker, type Worker } from '#server/main/worker.ts';
import { pausePaymentPages, queuedEvents } from '#server/orders/core/checkout-queue.sql.ts';
import type { Pool } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { QUEUE_TIMES } from '#server/platform/jobs/queue-times.ts';
import { clearFaults, planFault, reservedOf } from '#tests/support/money.ts';
import { eventOnSale, generalAdmission, expectOk as okay, pay } from '#tests/support/people.ts';
import { poolOf } from '#tests/support/pool-of.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** So slow that a page only opens when the test allows one. */
const PAGES_PER_SECOND = 0.0001;

let app: TestApp;
let pool: Pool;
let worker: Worker;
beforeAll(async () => {
  app = await startTestApp({ pagesPerSecond: PAGES_PER_SECOND, runsJobs: false });
  pool = await poolOf(app);
  worker = await startWorker(app.deps, pool, { ...QUEUE_TIMES, roundMs: 100 });
});
afterAll(async () => {
  await worker.stop();
  await pool.end();
  await app.close();
});

beforeEach(async () => {
  await sql`update checkout_rate set tokens = 1, counted_at = clock_timestamp()`.execute(app.db);
});
afterEach(async () => {
  await clearFaults(app);
  await sql`delete from checkout_queue`.execute(app.db);
});

const allowOnePage = () => sql`update checkout_rate set tokens = 1`.execute(app.db);

async function checkOut(eventId: string, quantity = 1) {
  return okay(await app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(quantity) }));
}

/** Another order uses up the page that the rate allows at once. */
async function queueCheckout(eventId: string, quantity = 1) {
  await checkOut(eventId);
  const { queue } = await checkOut(eventId, quantity);
  if (!queue) throw new Error('the page opened at once');
  return queue;
}

const readQueued = (handle: string) => app.call(queuedCheckout, { handle });

async function untilPage(handle: string) {
  await expect.poll(async () => (await readQueued(handle)).body.queue).toBeUndefined();
  return okay(await readQueued(handle));
}

const pathOf = (url: string) => new URL(url).pathname;

describe('a sale that exceeds Stripe’s rate limit', () => {
  it('reserves all tickets and opens the pages in order', async () => {
    const { eventId } = await eventOnSale(app);

    const replies = [];
    for (let buyer = 0; buyer < 4; buyer++) replies.push(await checkOut(eventId));

    const [first, second, third, fourth] = replies;
    expect(first?.queue).toBeUndefined();
    expect(pathOf(first?.url ?? '')).toMatch(/^\/sandbox\/pay\//);
    expect([second, third, fourth].map((reply) => reply?.queue?.before)).toEqual([0, 1, 2]);
    expect(await reservedOf(app, eventId)).toBe(4);
    expect(fourth?.url).toBe(`${app.publicUrl}/payment/${eventId}#queue=${fourth?.queue?.handle}`);

    await allowOnePage();
    expect((await checkOut(eventId)).queue).toBeDefined();
    const page = await untilPage(second?.queue?.handle ?? '');
    expect(pathOf(page.url)).toMatch(/^\/sandbox\/pay\//);
    await expect.poll(async () => (await readQueued(third?.queue?.handle ?? '')).body.queue?.before).toBe(0);
    expect((await pay(app.visitor(), page.url, 'patient@example.com')).status).toBe(303);
  });

  it('sets the reservation to expire with the payment page', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId);
    await app.advance({ minutes: 2 });
    await allowOnePage();

    const { id } = await untilPage(handle);

    const { rows } = await sql<{ seconds: number; endsAt: number; pageEndsAt: number }>`
      select extract(epoch from o.reservation_expires_at - business_now())::int as seconds,
             floor(extract(epoch from o.reservation_expires_at))::int as ends_at, (s.body->>'expires_at')::int as page_ends_at
        from orders o join sandbox.objects s on s.id = o.session_id where o.session_id = ${id}`.execute(app.db);
    expect(rows[0]?.seconds).toBeGreaterThan(30.5 * 60);
    expect(rows[0]?.pageEndsAt).toBe(rows[0]?.endsAt);
  });

  it('applies the rate to all concurrent requests together', async () => {
    const { eventId } = await eventOnSale(app);

    const answers = await Promise.all(Array.from({ length: 6 }, () => checkOut(eventId)));

    expect(answers.filter(({ queue }) => queue === undefined)).toHaveLength(1);
    const { rows } = await sql<{ position: number }>`
      select l.position from checkout_queue l join orders o on o.event_id = l.event_id and o.id = l.order_id
       where l.event_id = ${eventId} order by o.id`.execute(app.db);
    expect(new Set(rows.map(({ position }) => position)).size).toBe(5);
  });
});

it('pauses the queue for one second in total after many rate limit errors', async () => {
  for (let errors = 0; errors < 30; errors++) await pausePaymentPages(app.db, 10, 1);

  const { rows } = await sql<{ tokens: number }>`select tokens from checkout_rate`.execute(app.db);
  expect(rows).toEqual([{ tokens: -10 }]);
});

describe('queued tickets', () => {
  it('stay reserved while their buyer polls and are released two minutes later', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId, 3);

    for (let minutes = 0; minutes < 6; minutes += 2) {
      await app.advance({ minutes: 2 });
      await expect.poll(async () => (await readQueued(handle)).body.queue?.before).toBe(0);
      await expect.poll(() => reservedSeconds(eventId)).toBeGreaterThan(170);
    }
    expect(await reservedOf(app, eventId)).toBe(4);

    await app.advance({ minutes: 2 });
    await untilExpiredReservationsAreReleased();
    expect(await reservedOf(app, eventId)).toBe(4);
    await app.advance({ seconds: 61 });
    await expect.poll(() => reservedOf(app, eventId)).toBe(1);
    await expect
      .poll(() => readQueued(handle))
      .toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
  });

  it('are released at once when their buyer leaves', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId, 3);

    okay(await app.call(leaveQueuedCheckout, { handle }));

    expect(await reservedOf(app, eventId)).toBe(1);
    await expect
      .poll(() => readQueued(handle))
      .toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
    expect((await app.call(leaveQueuedCheckout, { handle })).status).toBe(200);
  });

  it('are released together with a page that opened as their buyer left', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId);
    await allowOnePage();
    const { url } = await untilPage(handle);

    okay(await app.call(leaveQueuedCheckout, { handle }));

    expect(await reservedOf(app, eventId)).toBe(1);
    await expect(pay(app.visitor(), url, 'gone@example.com')).rejects.toThrow('no form with the button "Pay"');
  });

  it('leave the queue when the cart changes', async () => {
    const { eventId } = await eventOnSale(app);
    await checkOut(eventId);
    const cartId = newId();
    const cart = (quantity: number) => ({ eventId, cartId, cartItems: generalAdmission(quantity) });
    const before = okay(await app.call(createCheckoutSession, cart(2)));

    okay(await app.call(createCheckoutSession, cart(3)));

    expect(await reservedOf(app, eventId)).toBe(4);
    expect(await queuedEvents(app.db)).toMatchObject([{ eventId, positions: { length: 1 } }]);
    await expect
      .poll(() => readQueued(before.queue?.handle ?? ''))
      .toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
  });

  it('are not released once paid', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId);
    await allowOnePage();
    const { url } = await untilPage(handle);
    expect((await pay(app.visitor(), url, 'still@example.com')).status).toBe(303);

    expect(await app.call(leaveQueuedCheckout, { handle })).toMatchObject({
      status: 409,
      body: { code: 'checkout.already-paid' },
    });
    expect(await reservedOf(app, eventId)).toBe(2);
  });

  it('are not revealed to a guessed token', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId);
    const [event, , position, signature] = handle.split('.');
    const other = `${event}.${crypto.randomUUID()}.${position}.${signature}`;

    for (const guess of ['', 'x', other, handle.slice(0, -1), handle.replace(/\.\d+\./, '.1.')]) {
      expect(await readQueued(guess)).toMatchObject({ status: 404, body: { code: 'checkout.unknown' } });
      expect((await app.call(leaveQueuedCheckout, { handle: guess })).status).toBe(404);
    }
  });

  it('get a new position when the queue was lost', async () => {
    const { eventId } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId);
    await sql`delete from checkout_queue`.execute(app.db);

    await expect.poll(async () => (await readQueued(handle)).body.queue?.handle).not.toBe(handle);
    await allowOnePage();

    // The old token keeps working.
    expect(pathOf((await untilPage(handle)).url)).toMatch(/^\/sandbox\/pay\//);
  });

  it('are released when the event is cancelled', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    const { handle } = await queueCheckout(eventId, 3);

    okay(await visitor.call(cancelEvent, { eventId }));
    await app.settle();

    expect(await reservedOf(app, eventId)).toBe(0);
    await expect
      .poll(() => readQueued(handle))
      .toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
  });
});

describe('errors from Stripe', () => {
  const openingPages = { match: { method: 'POST', path: '/v1/checkout/sessions' } };

  it('queue the order on a rate limit error', async () => {
    const { eventId } = await eventOnSale(app);
    await planFault(app, { ...openingPages, mode: 'status:429', times: 1 });

    const { queue } = await checkOut(eventId);

    expect(queue?.before).toBeDefined();
    const { rows } = await sql<{ tokens: number }>`select tokens from checkout_rate`.execute(app.db);
    expect(rows[0]?.tokens).toBeLessThan(0);
    await allowOnePage();
    expect(pathOf((await untilPage(queue?.handle ?? '')).url)).toMatch(/^\/sandbox\/pay\//);
  });

  it.each(['drop_before', 'drop_after', 'error_before', 'error_after', 'truncate'])(
    'keep the order queued and create one order (%s)',
    async (mode) => {
      const { eventId } = await eventOnSale(app);
      const { handle } = await queueCheckout(eventId);
      await planFault(app, { ...openingPages, mode, times: 3 });

      await allowOnePage();
      await expect.poll(() => wasPostponed(eventId)).toBe(true);
      await clearFaults(app);
      // Stripe repeats a stored error once before the order's next idempotency key is used.
      const retryNow = async () => {
        await sql`update checkout_queue set not_before = now()`.execute(app.db);
        await allowOnePage();
        return (await readQueued(handle)).body.queue;
      };
      await expect.poll(retryNow, { interval: 100 }).toBeUndefined();
      const { url } = await untilPage(handle);

      expect((await pay(app.visitor(), url, 'through@example.com')).status).toBe(303);
      await app.settle();
      const states = await app.db.selectFrom('orders').where('eventId', '=', eventId).select('state').execute();
      expect(states.map(({ state }) => state).sort()).toEqual(['paid', 'reserved']);
      expect(await reservedOf(app, eventId)).toBe(2);
    },
  );

  it('close a page that opens after the event was cancelled', async () => {
    const { eventId, visitor } = await eventOnSale(app);
    await planFault(app, { ...openingPages, mode: 'slow', ms: 4_000, times: 1 });
    const reply = app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
    await expect.poll(() => reservedOf(app, eventId)).toBe(1);

    okay(await visitor.call(cancelEvent, { eventId }));

    expect(await reply).toMatchObject({ status: 409, body: { code: 'checkout.reservation-expired' } });
    expect(await reservedOf(app, eventId)).toBe(0);
    const { rows } = await sql<{ status: string }>`
      select body->>'status' as status from sandbox.objects
       where kind = 'checkout.session' and body->'metadata'->>'event_id' = ${eventId}`.execute(app.db);
    expect(rows).toEqual([{ status: 'expired' }]);
  });
});

/** Waits until a newer reservation has expired and was released: older ones were released as well. */
async function untilExpiredReservationsAreReleased(): Promise<void> {
  const { eventId } = await eventOnSale(app);
  await checkOut(eventId);
  expect(await reservedOf(app, eventId)).toBe(1);
  await sql`
    update orders set reservation_expires_at = business_now() - interval '1 second' where event_id = ${eventId}`.execute(
    app.db,
  );
  await expect.poll(() => reservedOf(app, eventId)).toBe(0);
}

async function reservedSeconds(eventId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from reservation_expires_at - business_now())::int as seconds
      from orders where event_id = ${eventId} and session_id is null`.execute(app.db);
  return rows[0]?.seconds ?? 0;
}

/** Tried, with a retry due within seconds. */
async function wasPostponed(eventId: string): Promise<boolean> {
  const { rows } = await sql`
    select from checkout_queue
     where event_id = ${eventId} and not_before > '-infinity' and not_before < clock_timestamp() + interval '10 seconds'`.execute(
    app.db,
  );
  return rows.length > 0;
}
