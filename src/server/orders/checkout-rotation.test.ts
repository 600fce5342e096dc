/** The checkout queue of several events: who is served next, and what a waiting buyer sees. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OrderRef } from '#domain/order.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { checkoutQueueOf } from './checkout-queue.ts';
import { dequeue, leaveQueue, postpone } from './core/checkout-queue.sql.ts';
import { type CartOrder, reserveCarts } from './core/stock.sql.ts';

/** Nothing opens a page by itself. */
const PAGES_PER_SECOND = 0.0001;
const TERMS = { reservationMinutes: 3, lockTimeoutMs: 5_000, pagesPerSecond: PAGES_PER_SECOND, unpaidMax: null };

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  const { email } = await newOrganizer(app);
  ({ organizationId } = await actorOf(app.db, email));
});
afterAll(() => app.close());
afterEach(async () => {
  await sql`delete from checkout_queue`.execute(app.db);
});

interface Queued extends OrderRef {
  position: number;
}

async function putOnSale(): Promise<(count: number) => CartOrder[]> {
  const [eventId, now] = [newPublicId(), app.now()];
  const endsAt = new Date(now.getTime() + 86_400_000);
  const types = [{ name: 'Hall', priceCents: 20_00, quantity: 1_000 }];
  await insertEvent(app.db, { now, eventId, organizationId, title: 'Rush', endsAt, types });
  const hall = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId).select('id');
  const { id: ticketTypeId } = await hall.executeTakeFirstOrThrow();
  const line = {
    ticketTypeId,
    ticketName: 'Hall',
    listPriceCents: 20_00,
    unitPriceCents: 20_00,
    promoCodeId: null,
    quantity: 1,
  };
  return (count) =>
    Array.from({ length: count }, () => ({
      eventId,
      orderId: newId(),
      cartId: null,
      totalCents: 20_00,
      networkHash: null,
      lines: [line],
    }));
}

/** All of them join the queue, in this order. */
async function join(carts: readonly CartOrder[], { db } = app): Promise<Queued[]> {
  await sql`update checkout_rate set tokens = 0, counted_at = clock_timestamp()`.execute(db);
  const results = await reserveCarts(db, carts, TERMS);
  return carts.map(({ eventId, orderId }, index) => {
    const result = results[index];
    if (result?.is !== 'reserved' || result.queuePosition === null) throw new Error('an order did not queue');
    const place = { eventId, orderId, position: result.queuePosition };
    checkoutQueueOf(db).noteJoined(place);
    return place;
  });
}

/** The pages that open next; they leave the queue. */
async function serve(pages: number): Promise<string[]> {
  await sql`update checkout_rate set tokens = ${pages}, counted_at = clock_timestamp()`.execute(app.db);
  // So many a second, because the bucket saves up a quarter of them.
  const { orders } = await dequeue(app.db, pages, pages * 4);
  for (const order of orders) await leaveQueue(app.db, order);
  return orders.map(({ orderId }) => orderId);
}

async function serveAll(pages: number): Promise<string[]> {
  const served: string[] = [];
  for (let next = await serve(pages); next.length > 0; next = await serve(pages)) served.push(...next);
  return served;
}

const idsOf = (orders: readonly OrderRef[]) => orders.map(({ orderId }) => orderId);

describe('the checkout queue', () => {
  it('serves events in rotation, and the orders of each as they joined [RES-5]', async () => {
    const [rush, quiet, small] = [await putOnSale(), await putOnSale(), await putOnSale()];
    const first = idsOf(await join(rush(9)));
    const second = idsOf(await join(quiet(3)));
    const third = idsOf(await join(small(1)));

    const served = await serveAll(1);

    expect(served.filter((id) => first.includes(id))).toEqual(first);
    expect(served.filter((id) => second.includes(id))).toEqual(second);
    expect(served.indexOf(third[0] ?? '')).toBeLessThan(3);
    for (const [turn, id] of second.entries()) expect(served.indexOf(id)).toBeLessThan(3 * (turn + 1));
  });

  it('goes on with the next event, however few pages open at a time [RES-5]', async () => {
    const events = await Promise.all([putOnSale(), putOnSale(), putOnSale(), putOnSale()]);
    const queued = await join(events.flatMap((carts) => carts(5)));
    const eventOf = new Map(queued.map(({ eventId, orderId }) => [orderId, eventId]));

    for (const pages of [3, 1, 6, 10]) {
      const served = (await serve(pages)).map((id) => eventOf.get(id));
      const counts = [...new Set(eventOf.values())].map((id) => served.filter((event) => event === id).length);
      expect(served).toHaveLength(pages);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
    expect(await serveAll(7)).toHaveLength(0);
  });

  it('serves all that the rate allows, also when most events have nothing to serve [RES-5]', async () => {
    const [rush, ...others] = await Promise.all([putOnSale(), putOnSale(), putOnSale(), putOnSale()]);
    const orders = idsOf(await join(rush(8)));
    for (const other of others)
      for (const order of await join(other(1))) await postpone(app.db, order, { seconds: 60, isNewCall: false });

    expect(await serve(6)).toEqual(orders.slice(0, 6));
  });

  it('drops an order that no longer waits when it comes to the head [RES-5]', async () => {
    const [rush, quiet] = [await putOnSale(), await putOnSale()];
    const [gone, ...others] = await join([...rush(3), ...quiet(1)]);
    await sql`update orders set session_id = 'cs_gone' where id = ${gone?.orderId}`.execute(app.db);

    expect(new Set(await serve(9))).toEqual(new Set(idsOf(others)));
    expect(await app.db.selectFrom('checkoutQueue').selectAll().execute()).toEqual([]);
  });
});

describe('a buyer in the checkout queue', () => {
  const before = (orders: readonly Queued[], { db } = app) =>
    Promise.all(orders.map((order) => checkoutQueueOf(db).countBefore(order)));

  it('sees how many pages open before theirs [RES-5]', async () => {
    const events = await Promise.all([putOnSale(), putOnSale(), putOnSale()]);
    const [one, two, three] = events;
    if (!one || !two || !three) throw new Error('there are no events');
    const queued = await join([...one(6), ...two(2), ...one(3), ...three(4), ...two(1)]);
    await serve(2);
    const waiting = await stillQueued(queued);

    const reader = anotherServer(app);
    const counts = await before(waiting, reader);

    const served = await serveAll(1);
    expect(counts).toEqual(idsOf(waiting).map((id) => served.indexOf(id)));
  });

  it('is not behind a rush on another event, also right after joining [RES-5]', async () => {
    freezeMonotonicClock();
    const [rush, quiet] = [await putOnSale(), await putOnSale()];
    const here = anotherServer(app);
    await before(await join(rush(40), here), here);

    const latecomers = await join(quiet(2), here);
    const again = await join(rush(2), here);

    expect(await before([...latecomers, ...again], here)).toEqual([1, 3, 40, 41]);
  });

  it('counts those who joined through another server since the last look [RES-5]', async () => {
    freezeMonotonicClock();
    const rush = await putOnSale();
    const [here, there] = [anotherServer(app), anotherServer(app)];
    await before(await join(rush(4), here), here);

    await join(rush(5), there);

    expect(await before(await join(rush(1), here), here)).toEqual([9]);
  });

  async function stillQueued(orders: readonly Queued[]): Promise<Queued[]> {
    const rows = await app.db.selectFrom('checkoutQueue').select('orderId').execute();
    const ids = new Set(rows.map(({ orderId }) => orderId));
    return orders.filter(({ orderId }) => ids.has(orderId));
  }
});
