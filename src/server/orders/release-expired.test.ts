/** Expired reservations that never had a payment page. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeCheckouts } from '#server/payments/checkout/close-checkouts.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { reservedOf } from '#tests/support/money.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { reservedOrder } from '#tests/support/reserved-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { releaseExpiredOrders } from './core/stock.sql.ts';
import { releaseExpired } from './release-expired.ts';

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  const { email } = await newOrganizer(app);
  ({ organizationId } = await actorOf(app.db, email));
});
afterAll(() => app.close());

async function newEvent() {
  const now = app.now();
  const eventId = newPublicId();
  const types = [
    { name: 'General admission', priceCents: 24_00, quantity: 100 },
    { name: 'Balcony', priceCents: 38_50, quantity: 10 },
  ];
  const endsAt = new Date(now.getTime() + 24 * 60 * 60 * 1000);
  await insertEvent(app.db, { now, eventId, organizationId, title: 'Basement Brass', endsAt, types });
  return { eventId };
}

/** @param orders quantities of `General admission`, one for each order */
async function insertExpired(
  eventId: string,
  orders: readonly number[],
  change: { sessionId?: null } = { sessionId: null },
) {
  const inserted = [];
  for (const quantity of orders)
    inserted.push(await reservedOrder(app.db, eventId, { 'General admission': quantity, Balcony: 1 }, change));
  const ids = inserted.map(({ orderId }) => orderId);
  await app.db
    .updateTable('orders')
    .set({ reservationExpiresAt: sql<Date>`business_now() - interval '1 second'` })
    .where('id', 'in', ids)
    .execute();
  return inserted;
}

const sweep = () => releaseExpired(app.deps, { wait: true });

it('releases only them, in batches, across events and ticket types', async () => {
  const [one, other] = [await newEvent(), await newEvent()];
  await insertExpired(one.eventId, [1, 2, 3]);
  await insertExpired(other.eventId, [4]);
  await insertExpired(one.eventId, [10], {});
  await reservedOrder(app.db, one.eventId, { 'General admission': 20 }, { sessionId: null });

  const counts = [];
  let since: Date | null = null;
  for (let batch = 0; batch < 3; batch++) {
    const released = await releaseExpiredOrders(app.db, { atMost: 3, since });
    counts.push(released?.released);
    since = released?.reached ?? since;
  }

  expect(counts).toEqual([3, 1, 0]);
  // With a page: 10 and 1 balcony. Not expired: 20.
  expect(await reservedOf(app, one.eventId)).toBe(31);
  expect(await reservedOf(app, other.eventId)).toBe(0);
  expect(await sweep()).toBe(0);
});

it('releases thousands of orders in one run', async () => {
  const { eventId } = await newEvent();
  await app.db
    .updateTable('ticketTypes')
    .set({ quantity: 50_000, reserved: 6_500 })
    .where('eventId', '=', eventId)
    .where('name', '=', 'General admission')
    .execute();
  await sql`
    with made as (
      insert into orders (event_id, id, state, total_cents, reservation_expires_at, created_at)
      select ${eventId}, gen_random_uuid(), 'reserved', 2400, business_now() - random() * interval '1 hour', business_now()
        from generate_series(1, 6500)
      returning id)
    insert into order_lines (event_id, order_id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
    select t.event_id, made.id, t.id, 1, t.name, 2400, 2400, 1
      from made cross join ticket_types t where t.event_id = ${eventId} and t.name = 'General admission'`.execute(
    app.db,
  );

  expect(await sweep()).toBe(6_500);
  expect(await reservedOf(app, eventId)).toBe(0);
});

it('releases on one server at a time', async () => {
  const { eventId } = await newEvent();
  await insertExpired(eventId, [1, 2]);

  const { waiting } = await app.db.transaction().execute(async (tx) => {
    expect(await releaseExpiredOrders(tx, { atMost: 1 })).toMatchObject({ released: 1 });
    expect(await releaseExpired(app.deps, { wait: false })).toBe(0);
    const waiting = sweep();
    await app.untilBlocked();
    return { waiting };
  });

  expect(await waiting).toBe(1);
  expect(await reservedOf(app, eventId)).toBe(0);
});

it('skips a locked order until the next run', async () => {
  const { eventId } = await newEvent();
  const [first] = await insertExpired(eventId, [1, 2]);

  await app.db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('orders')
      .where('id', '=', first?.orderId ?? '')
      .select('id')
      .forUpdate()
      .execute();
    expect(await sweep()).toBe(1);
  });

  expect(await reservedOf(app, eventId)).toBe(2);
  expect(await sweep()).toBe(1);
  expect(await reservedOf(app, eventId)).toBe(0);
});

it('fails without changes while stock stays locked', async () => {
  const { eventId } = await newEvent();
  await insertExpired(eventId, [1, 2]);

  await app.db.transaction().execute(async (tx) => {
    await tx.selectFrom('ticketTypes').where('eventId', '=', eventId).select('id').forUpdate().execute();
    await expect(sweep()).rejects.toThrow('lock timeout');
  });

  expect(await reservedOf(app, eventId)).toBe(5);
  expect(await sweep()).toBe(2);
});

it('releases unexpired reservations of a cancelled event', async () => {
  const [cancelled, other] = [await newEvent(), await newEvent()];
  for (const { eventId } of [cancelled, other])
    await reservedOrder(app.db, eventId, { Balcony: 3 }, { sessionId: null });

  await closeCheckouts(app.deps, cancelled);

  expect([await reservedOf(app, cancelled.eventId), await reservedOf(app, other.eventId)]).toEqual([0, 3]);
});

it('releases automatically within seconds', async () => {
  const { eventId } = await newEvent();
  await app.restartJobs();
  await insertExpired(eventId, [2]);

  await expect.poll(() => reservedOf(app, eventId), { timeout: 10_000 }).toBe(0);
});
