/** The walks in ARCHITECTURE.md name the files that run. Coverage of each call tells which ones do. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import {
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  openCheckout,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { repository } from './planted-tree.ts';

const CHECKOUT = 'From the click to the payment page';
const CHECK_IN = 'Checking in a ticket';
const WEBHOOK = 'From a webhook to the email';

/** What a reader has to open to follow the walk. */
const MOST_FILES = { [CHECKOUT]: 30, [CHECK_IN]: 18, [WEBHOOK]: 25 };

/** Serves every walk, every request or every job, or stands for a mail server. */
const EVERYWHERE =
  /^server\/(?:platform\/(?:database|ids|secrets)\.ts|platform\/(?:batching|metrics|tracing)\/|platform\/adapters\/(?:postgres-clock|postgres-changes|inbox)\/|platform\/adapters\/stripe\/stripe-client\.ts|platform\/http\/(?:connections|headers)\.ts|platform\/jobs\/(?:job-logger|worker-heartbeat|keep-running)\.ts|events\/page\/|main\/app\.ts)/;

let app: TestApp;
let profiler: Session;

beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
  profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(async () => {
  await profiler.post('Profiler.stopPreciseCoverage');
  profiler.disconnect();
  await app.close();
});

/** The files of ours in which a function ran since the last call. */
async function filesRun(): Promise<Set<string>> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const run = result.filter(({ functions }) =>
    functions.some(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0),
  );
  const paths = run.flatMap(({ url }) => /\/src\/((?:domain|messages|server)\/.+)$/.exec(url)?.[1] ?? []);
  return new Set(paths.filter((path) => !EVERYWHERE.test(path)));
}

/** Rounds that the worker makes by the clock, with what only they reach. */
const ROUNDS =
  /^server\/(?:main\/rounds\/[\w-]+|backoffice\/webhooks\/(?:read-moments|send-deliveries|(?:moments|deliveries)\.sql)|orders\/(?:release-expired|checkout-queue|core\/(?:stock|checkout-queue)\.sql)|payments\/checkout\/dequeue-checkouts)\.ts$/;

/** The rate limiter writes its counts by the clock. */
const COUNTS = /^server\/platform\/adapters\/rate-limiter\/(?:deferred-counter|rate-limiter\.sql)\.ts$/;

/** Reading the event from the database, which a slow machine does for every cart: the cache lasts a quarter of a second. */
const READS = /^(?:messages\/errors|server\/(?:events\/open-successors|platform\/app-error))\.ts$/;

/** Background work rarely runs during both of two repetitions. */
async function filesOfBoth(act: () => Promise<unknown>): Promise<string[]> {
  await filesRun();
  await act();
  const first = await filesRun();
  await act();
  const second = await filesRun();
  return [...first].filter((path) => second.has(path) && !COUNTS.test(path)).sort();
}

async function walk(title: string): Promise<string[]> {
  const page = await readFile(join(repository, 'ARCHITECTURE.md'), 'utf8');
  const [, lines = ''] = page.split(`\n# ${title} `)[1]?.split(/ files\)\n|\n\n|\n```/) ?? [];
  return lines.split('\n').flatMap((line) => expanded(line.split(' ')[0] ?? ''));
}

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function expanded(path: string): string[] {
  const [, before, choices, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return choices === undefined ? [path] : choices.split(',').map((choice) => `${before}${choice}${after}`);
}

/** Coverage sees the server's TypeScript only. */
const measurable = (files: readonly string[]) =>
  files.filter((path) => path.endsWith('.ts') && !path.startsWith('web/')).sort();

describe.each([CHECKOUT, CHECK_IN, WEBHOOK] as const)('%s', (title) => {
  it('names existing files, and few', async () => {
    const page = await readFile(join(repository, 'ARCHITECTURE.md'), 'utf8');
    const files = await walk(title);

    expect(files.filter((path) => !existsSync(join(repository, 'src', path)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeLessThanOrEqual(MOST_FILES[title]);
    expect(page).toContain(`\n# ${title} (${files.length} files)\n`);
  });
});

describe('each walk names the files that run', () => {
  // Of a hundred: the availability that buyers are shown stays the same after the first one, so nothing is announced.
  const cart = generalAdmission(1);

  it(CHECKOUT, async () => {
    const { eventId } = await eventOnSale(app);
    await openCheckout(app, eventId, cart);

    const run = (await filesOfBoth(() => openCheckout(app, eventId, cart))).filter((path) => !READS.test(path));

    expect(run).toEqual(measurable(await walk(CHECKOUT)));
  });

  it(CHECK_IN, async () => {
    const { eventId, attendantCode } = await eventOnSale(app);
    const tickets = codesOf(await buyTickets(app, eventId, generalAdmission(3)));
    const attendant = await attendantOf(app, eventId, attendantCode);
    const admitNext = async () =>
      expectOk(await attendant.call(checkGuest, { eventId, confirmationNumber: tickets.pop() ?? '' }));
    await admitNext();

    const run = await filesOfBoth(admitNext);

    expect(run).toEqual(measurable(await walk(CHECK_IN)));
  });

  it(WEBHOOK, async () => {
    const { eventId } = await eventOnSale(app);
    const checkouts = [await openCheckout(app, eventId, cart), await openCheckout(app, eventId, cart)];
    await app.restartJobs();
    const payNext = async () => {
      const email = `buyer-${checkouts.length}@example.com`;
      await checkouts.pop()?.pay(email);
      await expect.poll(() => emailsTo(app, email)).toHaveLength(1);
    };

    const run = (await filesOfBoth(payNext)).filter((path) => !ROUNDS.test(path));

    expect(run).toEqual(measurable(await walk(WEBHOOK)));
  });
});
