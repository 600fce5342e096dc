/** Many carts in one statement: the order of service, and the isolation of failures. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PricedLine } from '#domain/order.ts';
import { lockOwnEvent } from '#server/events/edit-event.sql.ts';
import { type Db, inTransaction } from '#server/platform/database.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';
import { insertEvent } from '#tests/faults/insert-event.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { reservedOf } from '#tests/support/money.ts';
import { newOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { type CartOrder, reserveCarts } from './core/stock.sql.ts';
import { knownSoldOut, reserveOrder } from './reserve-order.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

interface Sale {
  eventId: string;
  organizationId: string;
  line(quantity: number, change?: Partial<PricedLine>): PricedLine;
}

const NAME = 'Hall, "main" \\ left';

const UNLIMITED = { pagesPerSecond: null, unpaidMax: null };

const saleOfTen = () => saleOf(10);

async function saleOf(quantity: number): Promise<Sale> {
  const { email } = await newOrganizer(app);
  const { organizationId } = await actorOf(app.db, email);
  const [eventId, now] = [newPublicId(), app.now()];
  const endsAt = new Date(now.getTime() + 86_400_000);
  const types = [{ name: NAME, priceCents: 20_00, quantity }];
  await insertEvent(app.db, { now, eventId, organizationId, title: 'Ten', endsAt, types });
  const ticketTypes = app.db.selectFrom('ticketTypes').where('eventId', '=', eventId);
  const { id: ticketTypeId } = await ticketTypes.select('id').executeTakeFirstOrThrow();
  const shown = { ticketTypeId, ticketName: NAME, listPriceCents: 20_00, unitPriceCents: 20_00, promoCodeId: null };
  return { eventId, organizationId, line: (quantity, change = {}) => ({ ...shown, quantity, ...change }) };
}

const orderOf = ({ eventId }: Sale, line: PricedLine, cartId: string | null = null): CartOrder => ({
  eventId,
  orderId: newId(),
  cartId,
  totalCents: line.quantity * line.unitPriceCents,
  networkHash: null,
  lines: [line],
});

/** Buys tickets one at a time until `isOver`. */
async function keepBuying(sale: Sale, deps: TestApp['deps'], isOver: () => boolean): Promise<void> {
  while (!isOver()) await reserve(orderOf(sale, sale.line(1)), deps);
}

const reserve = (order: CartOrder, deps = app.deps) => reserveOrder(deps.db, order, UNLIMITED);

/** After an order of one ticket; those that start in one tick form one batch. */
async function inOneBatch<T>(sale: Sale, start: () => Promise<T>[]): Promise<T[]> {
  await reserve(orderOf(sale, sale.line(1)));
  return Promise.all(start());
}

describe('concurrent buyers', () => {
  it('are served in one commit, first come, first served, and a small cart fits where a large one does not', async () => {
    const sale = await saleOfTen();
    const wanted = [4, 6, 5, 6, 1].map((quantity) => orderOf(sale, sale.line(quantity)));

    // One ticket is already reserved. Of the other nine, 4 and 5 are served.
    const results = await inOneBatch(sale, () => wanted.map((order) => reserve(order)));

    expect(results.map(({ is }) => is)).toEqual(['reserved', 'sold-out', 'reserved', 'sold-out', 'sold-out']);
    expect(results[1]).toMatchObject({ line: { ticketName: NAME }, left: 5 });
    expect(await reservedOf(app, sale.eventId)).toBe(10);
    const orders = app.db.selectFrom('orders').where('eventId', '=', sale.eventId);
    const { commits } = await orders
      .select(sql<number>`count(distinct xmin::text)::int`.as('commits'))
      .executeTakeFirstOrThrow();
    expect(commits).toBe(2);
    const lines = await app.db
      .selectFrom('orderLines as l')
      .innerJoin('orders as o', (join) => join.onRef('o.eventId', '=', 'l.eventId').onRef('o.id', '=', 'l.orderId'))
      .where('o.eventId', '=', sale.eventId)
      .select(['o.totalCents', 'l.quantity', 'l.ticketName', 'l.unitPriceCents'])
      .orderBy('o.totalCents')
      .execute();
    expect(lines.map(({ totalCents, quantity }) => [totalCents, quantity])).toEqual([
      [20_00, 1],
      [80_00, 4],
      [100_00, 5],
    ]);
    expect(lines[0]).toMatchObject({ ticketName: NAME, unitPriceCents: 20_00 });
  });

  it('are not affected by an order that fails', async () => {
    const sale = await saleOfTen();
    // The database rejects the row; a buyer's call would not come this far.
    const broken = { ...orderOf(sale, sale.line(1)), totalCents: -1 };

    const results = await inOneBatch(sale, () =>
      [orderOf(sale, sale.line(2)), broken, orderOf(sale, sale.line(3))].map((order) =>
        reserve(order).then(
          ({ is }) => is,
          () => 'failed',
        ),
      ),
    );

    expect(results).toEqual(['reserved', 'failed', 'reserved']);
    expect(await reservedOf(app, sale.eventId)).toBe(6);
  });

  it('get "changed" for outdated cart lines, and reserve nothing', async () => {
    const [sale, other] = [await saleOfTen(), await saleOfTen()];
    const stale = [
      sale.line(1, { listPriceCents: 19_00, unitPriceCents: 19_00 }),
      sale.line(1, { ticketName: 'Balcony' }),
      sale.line(1, { ticketTypeId: newId() }),
      sale.line(1, { ticketTypeId: other.line(1).ticketTypeId }),
    ];
    const elsewhere = orderOf({ ...sale, eventId: 'NoSuchEvent_0000' }, sale.line(1));

    const results = await inOneBatch(sale, () =>
      [...stale.map((line) => orderOf(sale, line)), elsewhere].map((order) => reserve(order)),
    );

    expect(results.map(({ is }) => is)).toEqual(['changed', 'changed', 'changed', 'changed', 'changed']);
    expect(await reservedOf(app, sale.eventId)).toBe(1);
    await app.db.updateTable('events').set({ cancelledAt: app.now() }).where('id', '=', sale.eventId).execute();
    expect(await reserve(orderOf(sale, sale.line(1)))).toEqual({ is: 'changed' });
  });

  it('with the same cart reserve tickets once', async () => {
    const sale = await saleOfTen();
    const cartId = newId();
    const [first, second] = await inOneBatch(sale, () =>
      [1, 2].map((quantity) => reserve(orderOf(sale, sale.line(quantity), cartId))),
    );

    expect([first, second]).toMatchObject([{ is: 'reserved' }, { is: 'already-reserved', orderId: null }]);
    const again = await reserve(orderOf(sale, sale.line(3), cartId), anotherServer(app.deps));
    const orders = app.db.selectFrom('orders').where('cartId', '=', cartId);
    expect(await orders.select('id').execute()).toEqual([{ id: 'orderId' in again ? again.orderId : 'none' }]);
    expect(await reservedOf(app, sale.eventId)).toBe(2);
  });
});

describe('an event with long-locked rows', () => {
  it('blocks only its own buyers', async () => {
    const [locked, other] = [await saleOfTen(), await saleOfTen()];

    const { waiting } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('ticketTypes').where('eventId', '=', locked.eventId).select('id').forUpdate().execute();
      const waiting = [1, 2, 3].map((quantity) => reserve(orderOf(locked, locked.line(quantity))));
      expect(await reserve(orderOf(other, other.line(4)))).toMatchObject({ is: 'reserved' });
      const late = reserve(orderOf(locked, locked.line(4)));
      expect(await reserve(orderOf(other, other.line(5)))).toMatchObject({ is: 'reserved' });
      return { waiting: Promise.all([...waiting, late]) };
    });

    expect((await waiting).map(({ is }) => is)).toEqual(['reserved', 'reserved', 'reserved', 'reserved']);
    expect(await reservedOf(app, locked.eventId)).toBe(10);
    // Its own batcher is gone after the last order.
    expect(await reserve(orderOf(locked, locked.line(1)))).toMatchObject({ is: 'sold-out' });
  });
});

describe('an organizer who waits for the carts of one server', () => {
  it('is served before carts that arrive later at another', async () => {
    const sale = await saleOfTen();
    const { waiting } = await app.db.transaction().execute(async (tx) => {
      const terms = { reservationMinutes: 3, lockTimeoutMs: 5_000, ...UNLIMITED };
      await reserveCarts(tx, [orderOf(sale, sale.line(1))], terms);
      const organizer = inTransaction(app.db, async (edit) => {
        await lockOwnEvent(edit, sale.organizationId, sale.eventId);
        return reservedOf({ db: edit }, sale.eventId);
      });
      await app.untilBlocked();
      const buyer = reserve(orderOf(sale, sale.line(1)), anotherServer(app.deps));
      await app.untilBlocked(2);
      return { waiting: Promise.all([organizer, buyer]) };
    });

    expect(await waiting).toMatchObject([1, { is: 'reserved' }]);
  });
});

describe('sold-out stock', () => {
  it('is remembered briefly, for carts that want more than is left', async () => {
    const sale = await saleOfTen();
    await reserve(orderOf(sale, sale.line(8)));
    expect(knownSoldOut(app.deps.db, [sale.line(3)])).toBeUndefined();

    expect(await reserve(orderOf(sale, sale.line(3)))).toMatchObject({ is: 'sold-out', left: 2 });

    expect(knownSoldOut(app.deps.db, [sale.line(3)])).toEqual(sale.line(3));
    expect(knownSoldOut(app.deps.db, [sale.line(2)])).toBeUndefined();
    await expect.poll(() => knownSoldOut(app.deps.db, [sale.line(3)]), { timeout: 5_000 }).toBeUndefined();
  });

  it('is replenished from expired reservations before a cart is refused, without a sweep', async () => {
    const sale = await saleOfTen();
    await reserve(orderOf(sale, sale.line(9)));
    await app.advance({ minutes: 2 });
    expect(await reserve(orderOf(sale, sale.line(5)))).toMatchObject({ is: 'sold-out', left: 1 });

    await app.advance({ minutes: 2 });
    // A server that has not checked for expired reservations recently.
    const there = anotherServer(app.deps);
    const results = await Promise.all([5, 4, 2].map((quantity) => reserve(orderOf(sale, sale.line(quantity)), there)));

    expect(results.map(({ is }) => is)).toEqual(['reserved', 'reserved', 'sold-out']);
    expect(await reservedOf(app, sale.eventId)).toBe(9);
  });
});

// Last, because it leaves thousands of reservations to release.
describe('an organizer who edits an event while two servers sell at full speed', () => {
  const BUYERS_EACH = 64;
  /** Thirty batches, a quarter of a second at full speed: the lock statement may reach the database late. */
  const MOST_MEANWHILE = 30 * BUYERS_EACH;

  it('gets the lock between two batches', async () => {
    const sale = await saleOf(1_000_000);
    let isOver = false;
    const servers = [app.deps, anotherServer(app.deps)];
    const buyers = servers.flatMap((deps) =>
      Array.from({ length: BUYERS_EACH }, () => keepBuying(sale, deps, () => isOver)),
    );
    const soldMeanwhile: number[] = [];
    for (let change = 0; change < 5; change++) {
      const sold = await inTransaction(app.db, async (tx) => {
        const before = await reservedOf({ db: tx }, sale.eventId);
        await lockOwnEvent(tx, sale.organizationId, sale.eventId);
        return (await reservedOf({ db: tx }, sale.eventId)) - before;
      });
      soldMeanwhile.push(sold);
    }
    isOver = true;
    await Promise.all(buyers);

    expect(Math.max(...soldMeanwhile)).toBeLessThanOrEqual(MOST_MEANWHILE);
  });
});

/** Counts rows of orders that this connection has read. Starts again between transactions. */
async function ordersRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = 'orders'`.execute(
    db,
  );
  return rows[0]?.read ?? 0;
}

describe('a batch planned before the first reservation', () => {
  it('reads none of the reservations of other carts and networks', async () => {
    const sale = await saleOf(2_000);
    const batch = (carts: number) =>
      Array.from({ length: carts }, () => ({
        ...orderOf(sale, sale.line(1), newId()),
        networkHash: Math.floor(Math.random() * 2 ** 48),
      }));
    const terms = { pagesPerSecond: null, unpaidMax: 20, reservationMinutes: 31, lockTimeoutMs: 1_000 };

    await app.db.connection().execute(async (connection) => {
      await reserveCarts(connection, batch(1), terms);
      await reserveCarts(connection, batch(1_000), terms);

      const read = await connection.transaction().execute(async (tx) => {
        const before = await ordersRead(tx);
        await reserveCarts(tx, batch(10), terms);
        return (await ordersRead(tx)) - before;
      });
      // Each line's foreign key reads its order.
      expect(read).toBe(10);
    });
  });
});
