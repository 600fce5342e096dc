import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fulfillOrder, fulfillSingleOrder } from '#server/payments/checkout/fulfill-order.ts';
import { newEventId } from '#server/platform/ids.ts';
import type { CheckoutSession } from '#server/platform/ports/payment-processor.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { at, ledgerOf } from '#tests/support/money.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { paidSession, type ReservedOrder, reservedOrder } from '#tests/support/reserved-order.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { completeOrder } from './complete-order.ts';
import { completeSales } from './complete-orders.sql.ts';

let app: TestApp;
let organizerId: string;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  const { email } = await newOrganizer(app);
  ({ id: organizerId } = await app.db
    .selectFrom('users')
    .where('email', '=', email)
    .select('id')
    .executeTakeFirstOrThrow());
});
afterAll(() => app.close());

const types = [
  { name: 'Floor', priceCents: 24_00, quantity: 500 },
  { name: 'Balcony', priceCents: 38_50, quantity: 500 },
  { name: 'Guest list', priceCents: 0, quantity: 500 },
];

async function onSale(): Promise<string> {
  const eventId = newEventId();
  const now = new Date('2026-05-01T10:00:00Z');
  const endsAt = new Date('2099-01-01T00:00:00Z');
  await insertEvent(app.db, { now, eventId, organizerId, title: 'Basement Brass', endsAt, types });
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
  cents: session.totalCents,
  feeCents: session.feeCents,
});

/** Carts of every shape, in an event of their own. */
async function ordersOf(eventId: string): Promise<Paid[]> {
  const pageUnwritten = await reservedOrder(app.db, eventId, { Floor: 2 }, { sessionId: null });
  return [
    await paid(eventId, { Floor: 1 }),
    await paid(eventId, { Floor: 4, Balcony: 3, 'Guest list': 2 }, { feeCents: 640 }),
    await paid(eventId, { 'Guest list': 4 }),
    await paid(eventId, { Balcony: 2 }, { feeCents: 0, buyerEmail: 'ä"\\,{}@example.com' }),
    { order: pageUnwritten, session: paidSession(pageUnwritten, { feeCents: 170 }) },
  ];
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * Every row that there is of the event, in whichever table, without the names that chance gave. The totals are kept by one
 * row a statement, so they alone may differ; that they are right is one of the invariants.
 */
async function everythingOf(eventId: string, orders: readonly Paid[]): Promise<string[]> {
  const names = new Map(orders.map(({ order }, place) => [order.orderId, `<order ${place}>`]));
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
    'mail',
    sql`select to_jsonb(m)::text as row from mail_outbox m where params ->> 'eventId' = ${eventId} order by 1`,
  );
  await read(
    'job',
    sql`
      select jsonb_build_object('task', j.task_identifier, 'payload', p.payload, 'queue', j.queue_name, 'key', j.key,
               'attempts', j.attempts, 'max', j.max_attempts, 'priority', j.priority, 'flags', j.flags, 'due', j.run_at <= now())::text as row
        from graphile_worker.jobs j join graphile_worker._private_jobs p using (id)
        join mail_outbox m on m.id::text = p.payload ->> 'mailId'
       where m.params ->> 'eventId' = ${eventId}`,
  );
  return found.sort();
}

describe('completing many orders at once', () => {
  it('writes, row for row, what fulfilling each alone writes', async () => {
    const [alone, together] = [await onSale(), await onSale()];
    const [ordersAlone, ordersTogether] = [await ordersOf(alone), await ordersOf(together)];
    const elsewhere = await paid(await onSale(), { Balcony: 1 });

    await at(app, app.now(), async () => {
      for (const { order, session } of ordersAlone) await fulfillSingleOrder(app.deps, order, session);
      const settled = await completeSales(app.deps.db, [...ordersTogether, elsewhere].map(asSale));
      expect(settled).toEqual([true, true, true, true, true, true]);
    });

    const rows = await everythingOf(together, ordersTogether);
    expect(rows).toEqual(await everythingOf(alone, ordersAlone));
    expect(rows.filter((row) => row.startsWith('tickets '))).toHaveLength(18);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('draws numbers again that are taken, until every place has its own', async () => {
    const eventId = await onSale();
    const orders = await Promise.all(Array.from({ length: 10 }, () => paid(eventId, { Floor: 3, Balcony: 1 })));
    const { rows } = await sql<{ is: string }>`
      select pg_get_functiondef('new_confirmation_number'::regproc) as is`.execute(app.db);
    await sql`
      create or replace function new_confirmation_number() returns text language sql volatile
        as $$ select (1000000000 + floor(random() * 45))::bigint::text $$`.execute(app.db);
    try {
      await completeSales(app.deps.db, orders.map(asSale));
    } finally {
      await sql.raw(rows[0]?.is ?? '').execute(app.db);
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

  it('serves a crowd in few commits, and each order once however often it comes', async () => {
    const eventId = await onSale();
    const orders = await Promise.all(Array.from({ length: 30 }, () => paid(eventId, { Floor: 2 }, { feeCents: 100 })));

    await Promise.all([...orders, ...orders].map(({ order, session }) => fulfillOrder(app.deps, order, session)));

    const sold = await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute();
    expect(sold).toHaveLength(60);
    expect(await ledgerOf(app, eventId, 'sale')).toHaveLength(60);
    expect(await ledgerOf(app, eventId, 'card-fee')).toHaveLength(60);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('adds the fee when the card company tells it after the sale', async () => {
    const first = await paid(await onSale(), { Floor: 1 });
    await fulfillOrder(app.deps, first.order, first.session);

    const again = await completeOrder(app.deps, first.order, { ...first.session, feeCents: 100 });

    expect(again).toBe(true);
    expect(await ledgerOf(app, first.order.eventId, 'card-fee')).toEqual([
      'card-fee card-fees 100',
      'card-fee processor -100',
    ]);
  });

  it('makes numbers and ids like the server: ten digits, and UUIDs of version 7 that follow the clock', async () => {
    const { rows } = await sql<{ number: string; id: string }>`
      select new_confirmation_number() as number, new_row_id()::text as id from generate_series(1, 5000)`.execute(
      app.db,
    );

    expect(rows.filter(({ number }) => !/^[1-9]\d{9}$/.test(number))).toEqual([]);
    expect(rows.filter(({ id }) => !/^.{14}7.{4}[89ab]/.test(id))).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(5000);
    const made = Number.parseInt((rows[0]?.id ?? '').replaceAll('-', '').slice(0, 12), 16);
    expect(Math.abs(made - Date.now())).toBeLessThan(60_000);
    // First digits of a fair draw: one in nine begins with 9, one in nine with 1.
    for (const first of ['1', '9'])
      expect(rows.filter(({ number }) => number.startsWith(first)).length).toBeGreaterThan(400);
  });
});

describe('an order with something to decide, or to wait for', () => {
  const odd: Record<string, { change?: Partial<CheckoutSession>; before?(order: ReservedOrder): Promise<unknown> }> = {
    'of another session': { change: { sessionId: 'cs_test_another' } },
    'paid with another amount': { change: { totalCents: 1 } },
    'paid in another currency': { change: { currency: 'eur' } },
    'paid for another order': { change: { orderId: '00000000-0000-7000-8000-000000000000' } },
    'without an address': { change: { buyerEmail: null } },
    'of a cancelled event': {
      before: ({ eventId }) =>
        app.db.updateTable('events').set({ cancelledAt: new Date() }).where('id', '=', eventId).execute(),
    },
    'of an event that was paid out': { before: ({ eventId }) => payOut(eventId) },
    'whose hold is over': { before: (order) => setState(order, 'expired') },
    'that got no tickets': { before: (order) => setState(order, 'unfillable') },
    'that nobody knows': {
      before: async ({ eventId, orderId }) => {
        await app.db.deleteFrom('orderLines').where('eventId', '=', eventId).execute();
        await app.db.deleteFrom('orders').where('id', '=', orderId).execute();
      },
    },
  };

  it.each(Object.entries(odd))('is left as it is: %s', async (_, { change = {}, before = async () => {} }) => {
    const { order, session } = await paid(await onSale(), { Floor: 2 }, change);
    const plain = await paid(await onSale(), { Floor: 2 });
    await before(order);
    const untouched = await everythingOf(order.eventId, []);

    const answers = await Promise.all([
      completeOrder(app.deps, plain.order, plain.session),
      completeOrder(app.deps, order, session),
      completeOrder(app.deps, order, session),
    ]);

    expect(answers).toEqual([true, false, false]);
    expect(await everythingOf(order.eventId, [])).toEqual(untouched);
  });

  it.each([['orders', 'event_id'] as const, ['events', 'id'] as const])(
    'does not make its neighbours wait while somebody holds its row in %s',
    async (table, key) => {
      const { order, session } = await paid(await onSale(), { Floor: 2 });
      const neighbour = await paid(await onSale(), { Floor: 2 });

      // Long enough that whoever waits in the lane waits for ever.
      await sql`alter function complete_batch set lock_timeout = '5min'`.execute(app.db);
      const { waiting } = await app.db.transaction().execute(async (tx) => {
        await sql`select from ${sql.table(table)} where ${sql.ref(key)} = ${order.eventId} for update`.execute(tx);
        const waiting = fulfillOrder(app.deps, order, session);
        await app.untilBlocked();
        await fulfillOrder(app.deps, neighbour.order, neighbour.session);
        return { waiting };
      });
      await sql`alter function complete_batch set lock_timeout = '400ms'`.execute(app.db);
      await waiting;

      for (const { eventId } of [order, neighbour.order])
        expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toHaveLength(
          2,
        );
    },
  );

  it('is left to the long way when what it needs stays locked, and its neighbours are served', async () => {
    const { order, session } = await paid(await onSale(), { Floor: 2 });
    const neighbours = [await paid(await onSale(), { Floor: 2 }), await paid(await onSale(), { Floor: 2 })];
    const first = await paid(await onSale(), { Floor: 2 });

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await sql`select from ticket_types where event_id = ${order.eventId} for update`.execute(tx);
      // While the first one is served the others meet, and become one batch.
      const served = [fulfillOrder(app.deps, first.order, first.session)];
      const waiting = fulfillOrder(app.deps, order, session);
      served.push(...neighbours.map((one) => fulfillOrder(app.deps, one.order, one.session)));
      await Promise.all(served);
      return { waiting };
    });
    await waiting;

    for (const { eventId } of [order, ...neighbours.map((one) => one.order)])
      expect(await app.db.selectFrom('tickets').where('eventId', '=', eventId).select('id').execute()).toHaveLength(2);
  });

  async function setState({ orderId }: ReservedOrder, state: 'expired' | 'unfillable') {
    await app.db.updateTable('orders').set({ state }).where('id', '=', orderId).execute();
  }

  /** Long before its time: only that there is a payout counts here. */
  async function payOut(eventId: string) {
    const statement = JSON.stringify({ netCents: 100 });
    await app.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`
        insert into payouts (event_id, id, seq, cents, statement, account_id, requested_at)
        values (${eventId}, gen_random_uuid(), 1, 100, ${statement}, 'acct_1', now())`.execute(tx);
    });
  }
});
