import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeSales } from '#server/orders/core/complete.sql.ts';
import { fulfillOrder, fulfillSingleOrder } from '#server/payments/checkout/fulfill-order.ts';
import { newPublicId } from '#server/platform/ids.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { at, ledgerOf } from '#tests/support/money.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { paidSession, type ReservedOrder, reservedOrder } from '#tests/support/reserved-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { completeOrder } from './fulfill-order.ts';

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  const { email } = await newOrganizer(app);
  ({ organizationId } = await actorOf(app.db, email));
});
afterAll(() => app.close());

const types = [
  { name: 'Floor', priceCents: 24_00, quantity: 500 },
  { name: 'Balcony', priceCents: 38_50, quantity: 500 },
  { name: 'Guest list', priceCents: 0, quantity: 500 },
];

async function onSale(): Promise<string> {
  const eventId = newPublicId();
  const now = new Date('2026-05-01T10:00:00Z');
  const endsAt = new Date('2099-01-01T00:00:00Z');
  await insertEvent(app.db, { now, eventId, organizationId, title: 'Basement Brass', endsAt, types });
  return eventId;
}

interface Paid {
  order: ReservedOrder;
  session: CheckoutSession;
}

async function paid(
  eventId: string,
  cart: Parameters<typeof reservedOrder>[2],
  change: Partial<CheckoutSession> = {},
): Promise<Paid> {
  const order = await reservedOrder(app.db, eventId, cart);
  return { order, session: paidSession(order, change) };
}

const asSale = ({ order, session }: Paid) => ({
  ...order,
  paymentId: session.paymentId,
  buyerEmail: session.buyerEmail ?? '',
  buyerName: session.buyerName,
  cents: session.totalCents,
  feeCents: session.feeCents,
  cardHash: session.cardHash,
});

/** Orders for carts of every shape. */
async function ordersOf(eventId: string): Promise<Paid[]> {
  const withoutPage = await reservedOrder(app.db, eventId, { Floor: 2 }, { sessionId: null });
  return [
    await paid(eventId, { Floor: 1 }),
    await paid(eventId, { Floor: 4, Balcony: 3, 'Guest list': 2 }, { feeCents: 640 }),
    await paid(eventId, { 'Guest list': 4 }),
    await paid(eventId, { Balcony: 2 }, { feeCents: 0, buyerEmail: 'ä"\\,{}@example.com', buyerName: null }),
    { order: withoutPage, session: paidSession(withoutPage, { feeCents: 170 }) },
  ];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Every row of the event, in every table, with random values replaced. Totals are excluded: how many rows they have
 * depends on the batching, and `brokenInvariants` checks them.
 */
async function allRowsOf(eventId: string, orders: readonly Paid[]): Promise<string[]> {
  const names = new Map(orders.map(({ order }, index) => [order.orderId, `<order ${index}>`]));
  for (const { id, name } of await app.db
    .selectFrom('ticketTypes')
    .where('eventId', '=', eventId)
    .select(['id', 'name'])
    .execute())
    names.set(id, `<${name}>`);

  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'event_id' and table_name not like 'ticket_total%'`.execute(
    app.db,
  );
  const found: string[] = [];
  const read = async (table: string, query: ReturnType<typeof sql<{ row: string }>>) => {
    const { rows } = await query.execute(app.db);
    for (const { row } of rows)
      found.push(
        `${table} ${row}`
          .replaceAll(eventId, '<event>')
          .replaceAll(UUID, (id) => names.get(id) ?? '<uuid>')
          .replaceAll(/"confirmation_number": "[1-9]\d{9}"/g, '<number>'),
      );
  };
  for (const { name } of tables)
    await read(
      name,
      sql`select to_jsonb(t)::text as row from ${sql.table(name)} t where event_id = ${eventId} order by 1`,
    );
  await read(
    'email',
    sql`select to_jsonb(m)::text as row from email_outbox m where params ->> 'eventId' = ${eventId} order by 1`,
  );
  await read(
    'job',
    sql`
      select jsonb_build_object('task', j.task_identifier, 'payload', p.payload, 'queue', j.queue_name, 'key', j.key,
               'attempts', j.attempts, 'max', j.max_attempts, 'priority', j.priority, 'flags', j.flags, 'due', j.run_at <= now())::text as row
        from graphile_worker.jobs j join graphile_worker._private_jobs p using (id)
        join email_outbox m on m.id::text = p.payload ->> 'emailId'
       where m.params ->> 'eventId' = ${eventId}`,
  );
  return found.sort();
}

describe('completing a batch of orders', () => {
  it('writes the same rows as fulfilling each order alone', async () => {
    const [single, batched] = [await onSale(), await onSale()];
    const [singleOrders, batchOrders] = [await ordersOf(single), await ordersOf(batched)];
    const elsewhere = await paid(await onSale(), { Balcony: 1 });

    await at(app, app.now(), async () => {
      for (const { order, session } of singleOrders) await fulfillSingleOrder(app.deps, order, session);
      const settled = await completeSales(app.deps.db, [...batchOrders, elsewhere].map(asSale));
      expect(settled).toEqual([true, true, true, true, true, true]);
    });

    const rows = await allRowsOf(batched, batchOrders);
    expect(rows).toEqual(await allRowsOf(single, singleOrders));
    expect(rows.filter((row) => row.startsWith('tickets '))).toHaveLength(18);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('retries colliding confirmation numbers until each ticket has its own', async () => {
    const eventId = await onSale();
    const orders = await Promise.all(Array.from({ length: 10 }, () => paid(eventId, { Floor: 3, Balcony: 1 })));
    const { rows } = await sql<{ definition: string }>`
      select pg_get_functiondef('new_confirmation_number'::regproc) as definition`.execute(app.db);
    await sql`
      create or replace function new_confirmation_number() returns text language sql volatile
        as $$ select (1000000000 + floor(random() * 45))::bigint::text $$`.execute(app.db);
    try {
      await completeSales(app.deps.db, orders.map(asSale));
    } finally {
      await sql.raw(rows[0]?.definition ?? '').execute(app.db);
    }

    const issued = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select(['orderId', 'ticketName', 'confirmationNumber'])
      .execute();
    expect(new Set(issued.map((ticket) => ticket.confirmationNumber)).size).toBe(40);
    for (const { order } of orders)
      expect(
        issued
          .filter(({ orderId }) => orderId === order.orderId)
          .map(({ ticketName }) => ticketName)
          .sort(),
      ).toEqual(['Balcony', 'Floor', 'Floor', 'Floor']);
  });

  it('completes each order of a crowd once, even when repeated', async () => {
    const eventId = await onSale();
    const orders = await Promise.all(Array.from({ length: 30 }, () => paid(eventId, { Floor: 2 }, { feeCents: 100 })));

    await Promise.all([...orders, ...orders].map(({ order, session }) => fulfillOrder(app.deps, order, session)));

    const sold = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(sold).toHaveLength(60);
    expect(await ledgerOf(app, eventId, 'sale')).toHaveLength(60);
    expect(await ledgerOf(app, eventId, 'card-fee')).toHaveLength(60);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('records the fee when Stripe reports it after the sale', async () => {
    const first = await paid(await onSale(), { Floor: 1 });
    await fulfillOrder(app.deps, first.order, first.session);

    const again = await completeOrder(app.deps, first.order, { ...first.session, feeCents: 100 });

    expect(again).toBe(true);
    expect(await ledgerOf(app, first.order.eventId, 'card-fee')).toEqual([
      'card-fee card-fees 100',
      'card-fee processor -100',
    ]);
  });

  it('generates ten-digit confirmation numbers and UUIDv7 IDs with the current time', async () => {
    const { rows } = await sql<{ number: string; id: string }>`
      select new_confirmation_number() as number, new_row_id()::text as id from generate_series(1, 5000)`.execute(
      app.db,
    );

    expect(rows.filter(({ number }) => !/^[1-9]\d{9}$/.test(number))).toEqual([]);
    expect(rows.filter(({ id }) => !/^.{14}7.{4}[89ab]/.test(id))).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5000);
    const generatedAt = Number.parseInt((rows[0]?.id ?? '').replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(generatedAt - Date.now())).toBeLessThan(60_000);
    // Uniform first digits: one in nine starts with 1, one in nine with 9.
    for (const first of ['1', '9'])
      expect(rows.filter(({ number }) => number.startsWith(first)).length).toBeGreaterThan(400);
  });
});

describe('an order that the fast path cannot complete', () => {
  const cases: Record<string, { change?: Partial<CheckoutSession>; before?(order: ReservedOrder): Promise<unknown> }> =
    {
      'with another session': { change: { sessionId: 'cs_test_another' } },
      'paid with another amount': { change: { totalCents: 1 } },
      'paid in another currency': { change: { currency: 'eur' } },
      'paid for another order': { change: { orderId: '00000000-0000-7000-8000-000000000000' } },
      'without an email': { change: { buyerEmail: null } },
      'of a cancelled event': {
        before: ({ eventId }) =>
          app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute(),
      },
      'of an event with a payout': { before: ({ eventId }) => closeForPayout(eventId) },
      'with an expired reservation': { before: (order) => setState(order, 'expired') },
      'that is unfulfillable': { before: (order) => setState(order, 'unfulfillable') },
      'that does not exist': {
        before: async ({ eventId, orderId }) => {
          await app.db.deleteFrom('orderLines').where('eventId', '=', eventId).execute();
          await app.db.deleteFrom('orders').where('id', '=', orderId).execute();
        },
      },
    };

  it.each(Object.entries(cases))('is left unchanged: %s', async (_, { change = {}, before = async () => {} }) => {
    const { order, session } = await paid(await onSale(), { Floor: 2 }, change);
    const regular = await paid(await onSale(), { Floor: 2 });
    await before(order);
    const untouched = await allRowsOf(order.eventId, []);

    const results = await Promise.all([
      completeOrder(app.deps, regular.order, regular.session),
      completeOrder(app.deps, order, session),
      completeOrder(app.deps, order, session),
    ]);

    expect(results).toEqual([true, false, false]);
    expect(await allRowsOf(order.eventId, [])).toEqual(untouched);
  });

  it.each([['orders', 'event_id'] as const, ['events', 'id'] as const])(
    'does not block other orders while its row in %s is locked',
    async (table, key) => {
      const { order, session } = await paid(await onSale(), { Floor: 2 });
      const other = await paid(await onSale(), { Floor: 2 });

      // Long enough that an order waiting in the batcher would time out the test.
      await sql`alter function complete_orders set lock_timeout = '5min'`.execute(app.db);
      const { waiting } = await app.db.transaction().execute(async (tx) => {
        await sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${order.eventId} for update`.execute(tx);
        const waiting = fulfillOrder(app.deps, order, session);
        await app.untilBlocked();
        await fulfillOrder(app.deps, other.order, other.session);
        return { waiting };
      });
      await sql`alter function complete_orders set lock_timeout = '400ms'`.execute(app.db);
      await waiting;

      for (const { eventId } of [order, other.order])
        expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toHaveLength(
          2,
        );
    },
  );

  it('falls back to the slow path when its stock stays locked, and does not block other orders', async () => {
    const { order, session } = await paid(await onSale(), { Floor: 2 });
    const others = [await paid(await onSale(), { Floor: 2 }), await paid(await onSale(), { Floor: 2 })];
    const first = await paid(await onSale(), { Floor: 2 });

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await sql`select from ticket_types where event_id = ${order.eventId} for update`.execute(tx);
      // The rest arrive while the first order is processed, and form one batch.
      const served = [fulfillOrder(app.deps, first.order, first.session)];
      const waiting = fulfillOrder(app.deps, order, session);
      served.push(...others.map((entry) => fulfillOrder(app.deps, entry.order, entry.session)));
      await Promise.all(served);
      return { waiting };
    });
    await waiting;

    for (const { eventId } of [order, ...others.map((entry) => entry.order)])
      expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toHaveLength(2);
  });

  async function setState({ orderId }: ReservedOrder, state: 'expired' | 'unfulfillable') {
    await app.db.updateTable('orders').set({ state }).where('id', '=', orderId).execute();
  }

  async function closeForPayout(eventId: string) {
    await app.db.updateTable('events').set({ payoutRequestedAt: new Date() }).where('id', '=', eventId).execute();
  }
});
