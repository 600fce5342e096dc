import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { type Db, openDatabase, openPool, type Pool } from '#server/platform/database.ts';
import { cleanUpOnExit } from '#tests/support/clean-up-on-exit.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { METRICS_TOKEN, metricsOf, until, workersOf } from '#tests/support/metrics.ts';
import { planFault } from '#tests/support/money.ts';
import { buyTickets, codesOf, emailsTo, eventOnSale, generalAdmission, pay, type Site } from '#tests/support/people.ts';
import { attemptStart, type Product, sandboxFromElsewhere, startProduct } from '#tests/support/product.ts';
import { siteOf } from '#tests/support/site-of.ts';
import { makeDataDirectory } from '#tests/support/test-database.ts';

let product: Product;
let site: Site;
let eventId: string;
let pool: Pool;
let db: Db;
beforeAll(async () => {
  product = await startProduct({ WORKERS: '2', METRICS_TOKEN, RATE_LIMIT_SCALE: '0', SANDBOX_OPEN: '1' });
  site = siteOf(product);
  ({ eventId } = await eventOnSale(site));
  pool = openPool(await product.databaseAddress(), () => {});
  db = openDatabase(pool);
});
afterAll(async () => {
  await pool?.end();
  await product?.remove();
});

/** Opens a new connection, so that requests spread over the workers. Null when the connection broke. */
async function callOnNewConnection(
  method: 'GET' | 'POST',
  path: string,
  [type, body]: [type: string, body: string] = ['', ''],
) {
  const headers = type === '' ? {} : { 'content-type': type };
  const call = request(new URL(path, product.url), { method, agent: false, headers });
  call.end(body);
  try {
    const [reply] = await once(call, 'response');
    const parts: Buffer[] = await reply.toArray();
    return { status: Number(reply.statusCode), text: Buffer.concat(parts).toString() };
  } catch {
    return null;
  }
}

async function openOnNewConnection(): Promise<{ status: number; url: string } | null> {
  const cart = JSON.stringify({ eventId, cartItems: generalAdmission(1) });
  const reply = await callOnNewConnection('POST', createCheckoutSession.path, ['application/json', cart]);
  return reply && { status: reply.status, url: String(JSON.parse(reply.text).url) };
}

/** Asks several times, so that every worker responds. */
const askAll = async (path: string) =>
  (await Promise.all(Array.from({ length: 6 }, () => callOnNewConnection('GET', path)))).map(
    (reply) => reply?.text ?? '',
  );

const slowPurchases = (times: number) =>
  planFault(product, { match: { method: 'POST', path: '/v1/checkout/sessions' }, mode: 'slow', times, ms: 6_000 });

async function callsLeftToSlow(): Promise<number> {
  const reply = await fetch(`${product.sandboxUrl}/_sandbox/faults`);
  const { calls }: { calls: { timesLeft: number }[] } = JSON.parse(await reply.text());
  return calls.reduce((sum, { timesLeft }) => sum + timesLeft, 0);
}

describe('several workers', () => {
  it('sell, take payment and send email as one', async () => {
    const order = await buyTickets(site, eventId, generalAdmission(2), 'two@example.com');

    const emails = await emailsTo(site, 'two@example.com');
    expect(codesOf(order)).toHaveLength(2);
    expect(emails).toHaveLength(1);
    for (const code of codesOf(order)) expect(emails[0]?.text).toContain(code);
  });

  it('continue when one is killed during purchases, and replace it', async () => {
    const before = await workersOf(product);
    await slowPurchases(4);
    const purchases = Array.from({ length: 4 }, openOnNewConnection);
    await until('every purchase is in a Stripe call', async () => (await callsLeftToSlow()) === 0);
    process.kill(before.get('2') ?? 0, 'SIGKILL');

    const outcomes = await Promise.all(purchases);
    const opened = outcomes.filter((outcome) => outcome?.status === 200);
    expect(outcomes.filter((outcome) => outcome === null).length).toBeGreaterThan(0);
    expect(opened.length).toBeGreaterThan(0);

    // Buyers without a response try again.
    while (opened.length < 4) opened.push(await openOnNewConnection());
    for (const [index, page] of opened.entries()) {
      const paid = await pay(site.visitor(), page?.url ?? '', `killed-${index}@example.com`);
      expect(paid.status).toBe(303);
    }
    for (const index of opened.keys()) {
      await until(
        'the email arrives',
        async () => (await emailsTo(site, `killed-${index}@example.com`)).length === 1,
        40,
      );
    }
    await until('two workers run again', async () => (await workersOf(product)).size === 2);
    const after = await workersOf(product);
    expect(after.get('1')).toBe(before.get('1'));
    expect(after.get('2')).not.toBe(before.get('2'));
    expect(product.output()).toContain('a worker ended and is replaced');

    const tickets = await db.selectFrom('tickets').select('id').where('eventId', '=', eventId).execute();
    expect(tickets).toHaveLength(2 + 4);
    expect(await brokenInvariants(db)).toEqual([]);
  });

  it('show the sandbox to other machines, as SANDBOX_OPEN tells them [OPS-4]', async () => {
    expect(await sandboxFromElsewhere(product)).toEqual([200, 200]);
  });

  it('report combined metrics, only with the token [WATCH-1]', async () => {
    const bare = await fetch(`${product.url}/metrics`);
    const wrong = await fetch(`${product.url}/metrics`, { headers: { authorization: 'Bearer another token' } });
    const right = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });

    expect([bare.status, wrong.status]).toEqual([404, 404]);
    const text = await right.text();
    expect(text).toMatch(
      /^handstamp_http_request_duration_seconds_count\{method="POST",route="\/api\/public\/[\w-]+",status="200",process="\d"\} [1-9]/m,
    );
    // Of the installation, however many processes serve.
    expect(text.match(/^handstamp_tickets_sold.*$/gm)).toHaveLength(1);
    // Of each process, as soon as no background job waits.
    await until('no process waits for a connection', async () => {
      const now = await metricsOf(product);
      return ['1', '2', 'first'].every((process) =>
        now.includes(`handstamp_database_waiting{pool="shared",process="${process}"} 0\n`),
      );
    });
  });

  it('stop together on SIGTERM and finish requests in flight', async () => {
    const workers = [...(await workersOf(product)).values()];
    await slowPurchases(1);
    const inFlight = openOnNewConnection();
    await until('the call reaches Stripe', async () => (await callsLeftToSlow()) === 0);

    expect(await product.stop()).toBe(0);

    expect((await inFlight)?.status).toBe(200);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('exit when the primary process is killed, and start again', async () => {
    await product.start();
    const workers = [...(await workersOf(product)).values()];
    await product.kill();

    const isGone = (pid: number) => {
      try {
        return !process.kill(pid, 0);
      } catch {
        return true;
      }
    };
    await until('no worker runs', async () => workers.every(isGone));

    await product.start();
    expect((await workersOf(product)).size).toBe(2);
  });

  it('follow the clock, whichever worker moves it', async () => {
    const eventPath = publicEvent.path.replace(':eventId', eventId);
    for (const event of await askAll(eventPath)) expect(event).toContain('"title"');

    // One worker renders the form, another reads it.
    const keys = (await askAll('/sandbox/')).map((page) => /name="csrf" value="([^"]+)"/.exec(page)?.[1]);
    const form = new URLSearchParams({ csrf: keys[0] ?? '', advance_seconds: String(7 * 24 * 60 * 60) });
    const moved = await callOnNewConnection('POST', '/sandbox/clock', [
      'application/x-www-form-urlencoded',
      form.toString(),
    ]);
    expect(new Set(keys).size).toBe(1);
    expect(moved?.status).toBe(303);

    const days = (await askAll('/sandbox/')).map((page) => /It is now (\S+)/.exec(page)?.[1]);
    expect(new Set(days).size).toBe(1);
    expect(new Date(days[0] ?? '').getTime()).toBeGreaterThan(Date.now() + 5 * 24 * 60 * 60 * 1000);
    const isOver = async () => (await askAll(eventPath)).every((event) => event.includes('"msg"'));
    await until('every worker shows the event as over', isOver, 1);
  });

  it('print once why they cannot start, and leave nothing running', async () => {
    const dataDir = makeDataDirectory();
    const cleanUp = cleanUpOnExit(dataDir);

    const { exitCode, output } = await attemptStart(product, { DATA_DIR: dataDir, SANDBOX_PORT: '0', WORKERS: '3' });

    expect(output.match(/is in use by another program/g)).toHaveLength(1);
    expect(output).not.toMatch(/\n\s+at /);
    expect(exitCode).toBe(78);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    await cleanUp();
  });
});
