/** Two servers sell while the machines of their database fail, one after the other. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Db, openDatabase, openPool } from '#server/platform/database.ts';
import { type MailServer, openMailServer } from '#tests/faults/two-servers/mail-server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { eventForm, eventOnSale } from '#tests/support/people.ts';
import { type Product, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { type Buyers, type Order, sendBuyers } from './buyers.ts';
import { faults } from './cluster/faults.ts';
import { type Cluster, openCluster } from './cluster/open-cluster.ts';
import { type Haproxy, openDatabaseHaproxy, openHaproxy } from './open-haproxy.ts';

const PER_SECOND = Number(process.env['HA_BUYERS'] ?? 20);
const ONLY = (process.env['HA_FAULT'] ?? '').split(',');
const CAPACITY = 50_000;
const APP_SECRET = 'a secret for both servers of more than 32 characters';
/** Of undisturbed sales, before and after a fault. */
const CALM_MS = 5_000;

let cluster: Cluster;
let mailServer: MailServer;
let environment: Record<string, string>;
let db: Db;
let one: Product;
let two: Product;
let databaseProxy: Haproxy;
let proxy: Haproxy;
let origin: string;
let eventId: string;
const orders: Order[] = [];

beforeAll(async () => {
  const [port, databasePort] = [await freePort(), await freePort()];
  origin = `http://localhost:${port}`;
  mailServer = await openMailServer();
  cluster = await openCluster();
  databaseProxy = await openDatabaseHaproxy(databasePort, cluster.machines);
  const { name } = await cluster.primary();
  await databaseProxy.untilUsed(name, true);
  const DATABASE_URL = `postgresql://${cluster.credentials}@127.0.0.1:${databasePort}/handstamp`;
  environment = {
    DATABASE_URL,
    APP_SECRET,
    PUBLIC_URL: origin,
    TRUST_PROXY: '1',
    DRAIN_SECONDS: '5',
    RATE_LIMIT_SCALE: '0',
    SMTP_URL: mailServer.url,
    SMTP_PLAIN_TEXT: '1',
    // Buyers reach the sandbox's payment page through HAProxy.
    SANDBOX_OPEN: '1',
  };
  [one, two] = await Promise.all([startProduct(environment), startProduct(environment)]);
  for (const { pid } of [one, two]) cluster.machines.watch(pid());
  db = openDatabase(openPool(DATABASE_URL, () => {}));
  proxy = await openHaproxy(port, [portOf(one), portOf(two)]);
  for (const { pid } of [databaseProxy, proxy]) cluster.machines.watch(pid);
  const site = siteOf({ ...one, url: origin });
  const [hall] = eventForm(site).tickets;
  if (!hall) throw new Error('the form has no ticket types');
  const form = { tickets: [{ ...hall, ticketQuantity: CAPACITY }] };
  ({ eventId } = await eventOnSale({ ...site, publicUrl: mailServer.inboxUrl }, form));
});
afterAll(async () => {
  await proxy?.close();
  await Promise.all([one?.remove(), two?.remove()]);
  await db?.destroy();
  await databaseProxy?.close();
  await cluster?.close();
  await mailServer?.close();
});

const portOf = ({ url }: Product) => Number(new URL(url).port);

describe('No order is lost or doubled', () => {
  it.each(faults.filter(({ name }) => ONLY.some((text) => name.includes(text))))(
    '$name',
    async ({ name, limitSeconds, run }) => {
      const buyers = sendBuyers(origin, eventId, { perSecond: PER_SECOND, isPatient: true });
      await sleep(CALM_MS);
      const from = Date.now();
      const before = await cluster.primary();
      const since = (await run(cluster)) ?? from;
      await cluster.untilHealthy();
      await Promise.all([proxy.untilUsed('one', true), proxy.untilUsed('two', true)]);
      await sleep(CALM_MS);
      await buyers.stop();
      orders.push(...buyers.completed);

      const after = await cluster.primary();
      const outage = longestPause(buyers, since);
      const moved = after.name === before.name ? `still ${before.name}` : `${before.name} to ${after.name}`;
      report(
        `${name}: ${outage.toFixed(1)} s without a checkout, ${moved}, ${buyers.completed.length} orders, ` +
          `${buyers.calls.failures.length} of ${buyers.calls.made} calls failed`,
      );
      report(summaryOf(buyers));
      if (outage > limitSeconds) report(cluster.lastLines());
      await siteOf(one).settle();
      const missing = await missingOrders();
      const doubled = [...(await doubledOrders()), ...doubledEmails()];
      const doctor = await problemsOf(one);
      expect({ missing, doubled, doctor, lost: buyers.lost }).toEqual({
        missing: [],
        doubled: [],
        doctor: [],
        lost: 0,
      });
      expect(buyers.unexplained).toEqual([]);
      expect(outage).toBeLessThanOrEqual(limitSeconds);
    },
  );
});

const report = (line: string) => process.stdout.write(`${line}\n`);

function summaryOf({ calls: { failures } }: Buyers): string {
  const counts = new Map<string, number>();
  for (const failure of failures) {
    const kind = failure.replace(/^[\d.]+ s, | at http\S+/g, '').slice(0, 160);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => `  ${count} x ${kind}`).join('\n');
}

/** In seconds. */
function longestPause({ checkouts }: Buyers, since: number): number {
  const times = checkouts.toSorted((a, b) => a - b);
  const pauses = times.slice(1).map((time, index) => time - Math.max(times[index] ?? 0, since));
  return Math.max(...pauses) / 1000;
}

/** Tickets that a buyer has seen, and that don't exist exactly once. */
async function missingOrders(): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from unnest(${orders.flatMap(({ confirmationNumbers }) => confirmationNumbers)}::text[]) as seen(code)
     where (select count(*) from tickets t where t.confirmation_number = seen.code and t.event_id = ${eventId}) <> 1`.execute(
    db,
  );
  return rows.map(({ code }) => code);
}

/** Buyers who have more than one ticket: each bought one. */
async function doubledOrders(): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select o.buyer_email as email from orders o join tickets t on t.event_id = o.event_id and t.order_id = o.id
     where o.event_id = ${eventId} group by 1 having count(*) > 1`.execute(db);
  return rows.map(({ email }) => email);
}

/** The same email under two identifiers. */
function doubledEmails(): string[] {
  const seen = new Map<string, Set<string>>();
  for (const { to, subject, messageId } of mailServer.arrived) {
    const key = `${to}: ${subject}`;
    seen.set(key, (seen.get(key) ?? new Set()).add(messageId));
  }
  return [...seen].filter(([, identifiers]) => identifiers.size > 1).map(([key]) => key);
}

function problemsOf({ dataDir }: Product): Promise<string[]> {
  const env = { ...process.env, ...environment, DATA_DIR: dataDir };
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      ['scripts/run-checks.mjs'],
      { cwd: path.resolve(import.meta.dirname, '../..'), env },
      (error, stdout, stderr) => {
        const failed = stdout.split('\n').filter((line) => line.startsWith('FAIL'));
        resolve(error && failed.length === 0 ? [stderr] : failed);
      },
    ),
  );
}
