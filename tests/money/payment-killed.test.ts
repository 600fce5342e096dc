import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestRefund } from '#contract/app/refunds.ts';
import { joinEmbeddedPostgres } from '#server/platform/adapters/embedded-postgres/join-postgres.ts';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { movementsAtStripe, planFault } from '#tests/support/money.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, openCheckout, type Site } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';

let product: Product;
let site: Site;
let pool: Pool | undefined;
let db: Db;
beforeAll(async () => {
  product = await startProduct();
  site = siteOf(product);
  await join();
});
afterAll(async () => {
  await pool?.end();
  await product?.remove();
});

/**
 * The test's own database connection. PostgreSQL outlives a killed server, and has a new address after the next start.
 */
async function join(): Promise<void> {
  await pool?.end();
  const { connectionString } = await joinEmbeddedPostgres({ dataDir: product.dataDir });
  pool = openPool(connectionString, () => {});
  db = openDatabase(pool);
}

const seats = [{ ticketName: 'General admission', quantity: 1 }];

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('timed out');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const lock = (tx: Db, eventId: string, state: 'reserved' | 'paid') =>
  sql`select from orders where event_id = ${eventId} and state = ${state} for update`.execute(tx);

async function untilWaiting(count: number): Promise<void> {
  await until(async () => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return (rows[0]?.waiting ?? 0) >= count;
  });
}

describe('a killed server', () => {
  it('case 21: between a Stripe response and its record, completes that step once after a restart', async () => {
    const { eventId } = await eventOnSale(site);
    const [code = ''] = codesOf(await buyTickets(site, eventId, seats, 'back@example.com'));
    const { pay } = await openCheckout(site, eventId, seats);
    const refundsOf = () => db.selectFrom('refunds').where('eventId', '=', eventId).selectAll().execute();

    await db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      await lock(tx, eventId, 'reserved');
      await pay('paid@example.com');
      await untilWaiting(1);

      await planFault(product, { match: { method: 'POST', path: '/v1/refunds' }, mode: 'slow', times: 1, ms: 1500 });
      const asked = site.call(requestRefund, { eventId, confirmationCode: code }).catch(() => null);
      await until(async () => (await refundsOf()).length === 1);
      await lock(tx, eventId, 'paid');
      await untilWaiting(2);
      await until(async () => (await movementsAtStripe({ db }, 'refund', eventId)).length === 1);
      await product.kill();
      await asked;
    });
    expect(await refundsOf()).toMatchObject([{ state: 'claimed' }]);

    await product.start();
    await join();
    await moveClock(product.sandboxUrl, 5 * 60);
    // Queues the recurring jobs now; jobs of the killed server return by themselves later.
    await sql`select graphile_worker.add_job(identifier) from graphile_worker._private_known_crontabs`.execute(db);
    await until(async () => (await refundsOf())[0]?.state === 'sent');
    await until(async () => (await emailsTo(site, 'paid@example.com')).length > 0);

    const tickets = await db.selectFrom('tickets').where('eventId', '=', eventId).select('state').execute();
    expect(tickets.map(({ state }) => state).sort()).toEqual(['refunded', 'valid']);
    expect(await movementsAtStripe({ db }, 'refund', eventId)).toHaveLength(1);
    expect(await emailsTo(site, 'paid@example.com')).toHaveLength(1);
    expect(await emailsTo(site, 'back@example.com')).toHaveLength(2);
    expect(await brokenInvariants(db)).toEqual([]);
  });
});
