/** A database under load is restored to a chosen second. Stripe goes on, as it does when a database is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestore } from '#server/payments/restores/restores.sql.ts';
import { type Db, openDatabase, openOwnerPool, openPool, openReadOnlyPool } from '#server/platform/database.ts';
import { copyWhatGoesOn } from '#tests/faults/two-servers/restore-backup.ts';
import { type Buyers, sendBuyers } from '#tests/ha/buyers.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { runEverything } from '#tests/support/heal.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { until } from '#tests/support/metrics.ts';
import { moveClock } from '#tests/support/move-clock.ts';
import { eventForm, eventOnSale } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { query } from '#tests/support/query.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { stripeDiscrepancies } from '#tests/support/stripe-discrepancies.ts';
import { type ArchivedDatabase, openArchivedDatabase } from './archived-database.ts';
import { HISTORY_CENTS, sellHistory } from './sell-history.ts';

const TICKETS = Number(process.env.DRILL_TICKETS ?? 10_000);
const PER_SECOND = Number(process.env.DRILL_BUYERS ?? 5);
const APP_SECRET = 'a secret for both databases of more than 32 characters';
const CAPACITY = 50_000;

let archived: ArchivedDatabase;
let product: Product;
let db: Db;
let eventId: string;
const times: string[] = [];

const open = (address: string) => openDatabase(openPool(address, () => {}));

const startOn = (address: string) =>
  startProduct({ DATABASE_URL: address, APP_SECRET, RATE_LIMIT_SCALE: '0', SANDBOX_OPEN: '1' });

async function timed<T>(what: string, work: () => Promise<T> | T): Promise<T> {
  const began = performance.now();
  const result = await work();
  times.push(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return result;
}

beforeAll(async () => {
  archived = await openArchivedDatabase();
  product = await startOn(archived.connectionString);
  db = open(archived.connectionString);
  const site = siteOf(product);
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  const event = await eventOnSale(site, { tickets: [{ ...hall, ticketQuantity: CAPACITY }] });
  ({ eventId } = event);
  // Without the time limit of a serving process.
  const seeding = openDatabase(openOwnerPool(archived.connectionString, () => {}));
  await sellHistory(seeding, (await actorOf(db, event.email)).organizationId, TICKETS);
  await seeding.destroy();
});
afterAll(async () => {
  process.stdout.write(`${TICKETS} tickets. ${times.join(', ')}\n`);
  await product?.remove();
  await db?.destroy();
  await archived?.close();
});

/** Confirmation numbers by order. */
async function soldIn(database: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ orderId: string; numbers: string }>`
    select order_id, string_agg(confirmation_number, ' ' order by confirmation_number) as numbers
      from tickets where event_id = ${eventId} group by order_id`.execute(database);
  return new Map(rows.map(({ orderId, numbers }) => [orderId, numbers]));
}

const untilSold = (buyers: Buyers, more: number) => {
  const enough = buyers.completed.length + more;
  return until(`${more} more orders are sold`, async () => buyers.completed.length >= enough, 600);
};

/** Stripe's own tables have nothing of the sales of a month ago. */
function isHistory(line: string): boolean {
  const [, ours, theirs] = /^balance: ours (-?\d+), Stripe's (-?\d+)$/.exec(line) ?? [];
  return line.includes('cs_history_') || Number(ours) - Number(theirs) === TICKETS * HISTORY_CENTS;
}

describe('A restore to a second', () => {
  it('has what was sold until then, and rebuilds what Stripe knows beyond it [OPS-9 OPS-10]', async () => {
    const buyers = sendBuyers(product.url, eventId, { perSecond: PER_SECOND });
    await untilSold(buyers, 5);
    await timed('full backup under load', () => archived.backUpMeanwhile('full'));
    await untilSold(buyers, 5);
    // Everything that this statement sees was committed before the second that follows it.
    const before = await soldIn(db);
    const [chosen] = await query(archived.connectionString, 'select clock_timestamp()::text as at');
    await sleep(1000);
    await untilSold(buyers, 5);
    await buyers.stop();
    await siteOf(product).settle();
    const all = await soldIn(db);
    await product.stop();
    await archived.untilArchived();

    const drill = performance.now();
    const restored = await timed('restore', () => archived.restoreTo(String(chosen?.at)));
    const restoredDb = open(restored.connectionString);
    // Without the time limit of a serving process.
    const forReports = openDatabase(openReadOnlyPool(restored.connectionString, () => {}));
    try {
      const kept = await soldIn(restoredDb);
      expect([...before].filter(([order, numbers]) => kept.get(order) !== numbers)).toEqual([]);
      expect(kept.size).toBeLessThan(all.size);

      await copyWhatGoesOn(archived.connectionString, restored.connectionString);
      await query(restored.connectionString, 'select mark_restored()');
      const again = await timed('start, with the first reconciliation', () => startOn(restored.connectionString));
      try {
        expect((await soldIn(restoredDb)).size).toBe(all.size);
        times.push(`${all.size - kept.size} orders rebuilt, ${kept.size} kept`);
        await timed('invariants', async () => expect(await brokenInvariants(forReports)).toEqual([]));
        times.push(`the drill: ${((performance.now() - drill) / 1000).toFixed(1)} s`);

        expect(await openRestore(restoredDb)).not.toBeNull();
        await siteOf(again).settle();
        await moveClock(again.sandboxUrl, 20 * 60);
        await runEverything({ db: restoredDb, sandboxUrl: again.sandboxUrl });
        expect(await openRestore(restoredDb)).toBeNull();
        const differing = await stripeDiscrepancies({
          db: restoredDb,
          sandboxUrl: again.sandboxUrl,
          deps: { appSecret: [APP_SECRET] },
        });
        expect(differing.filter((line) => !isHistory(line))).toEqual([]);
        expect(await brokenInvariants(forReports)).toEqual([]);
      } finally {
        await again.remove();
      }
    } finally {
      await restoredDb.destroy();
      await forReports.destroy();
      await restored.close();
    }
  });
});
