import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventOverview } from '#contract/app/records/overview.ts';
import { dayOf } from '#domain/sales/sales-days.ts';
import { buildApp } from '#server/main/app.ts';
import { newPublicId } from '#server/platform/ids.ts';
import { eventOnSale, logInAgain } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { startTestAppWithPages, WEB_ROOT } from '#tests/support/test-app-with-pages.ts';
import { openViewCounter } from './view-counter.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestAppWithPages();
});
afterAll(() => app?.close());
afterEach(() => vi.useRealTimers());

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1';

interface Opening {
  path: string;
  method?: 'GET' | 'HEAD';
  headers?: Record<string, string>;
}

type Open = (opening: Opening) => Promise<{ status: number | undefined; etag: string }>;

/** Another process of the product, which stores its counts when it stops. */
async function whileServing(work: (open: Open) => Promise<void>): Promise<void> {
  const server = await buildApp({
    deps: app.deps,
    trustedProxies: 0,
    isReady: async () => true,
    webRoot: WEB_ROOT,
    plugins: [],
  });
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  await work(async ({ path, method = 'GET', headers = {} }) => {
    const sent = request(origin + path, { method, headers: { 'user-agent': PHONE, ...headers } }).end();
    const [reply]: IncomingMessage[] = await once(sent, 'response');
    reply?.resume();
    return { status: reply?.statusCode, etag: String(reply?.headers.etag) };
  });
  await server.close();
}

async function viewsOf(eventId: string): Promise<{ day: string; views: number }[]> {
  const { rows } = await sql<{ day: string; views: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, views from event_views where event_id = ${eventId} order by day`.execute(
    app.db,
  );
  return rows;
}

const today = () => dayOf(app.now(), 'America/New_York');

describe('the views of an event page', () => {
  it('count rendered and cached pages, and those that a browser has already [VIEWS-1]', async () => {
    const event = await eventOnSale(app);
    const { eventId } = event;
    const path = `/payment/${eventId}`;
    await whileServing(async (open) => {
      const { etag } = await open({ path });
      await open({ path: `${path}?utm_source=poster` });
      expect(await open({ path, headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 });
    });
    expect(await viewsOf(eventId)).toEqual([{ day: today(), views: 3 }]);

    const before = today();
    // A day has up to 25 hours.
    await app.advance({ hours: 26 });
    await whileServing(async (open) => void (await open({ path })));
    expect(await viewsOf(eventId)).toEqual([
      { day: before, views: 3 },
      { day: today(), views: 1 },
    ]);
    await logInAgain(event);
    expect(await event.visitor.call(eventOverview, { eventId })).toMatchObject({ body: { views: 4 } });
  });

  it.each<[string, Omit<Opening, 'path'>]>([
    ['a program', { headers: { 'user-agent': 'curl/8.9.1' } }],
    ['no user agent', { headers: { 'user-agent': '' } }],
    [
      'a crawler',
      { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' } },
    ],
    ['a link preview', { headers: { 'user-agent': 'facebookexternalhit/1.1' } }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['someone who is logged in', { headers: { cookie: 'theme=dark; token=abc' } }],
    ['a HEAD request', { method: 'HEAD' }],
  ])('leave out %s [VIEWS-1]', async (_who, opening) => {
    const { eventId } = await eventOnSale(app);
    await whileServing(async (open) => {
      // Rendered, then cached.
      for (let turn = 0; turn < 2; turn++)
        expect(await open({ path: `/payment/${eventId}`, ...opening })).toMatchObject({ status: 200 });
    });
    expect(await viewsOf(eventId)).toEqual([]);
  });

  it.each([
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 400.0.0 (iPhone17,1)',
  ])('count %s, without other cookies in the way [VIEWS-1]', async (agent) => {
    const { eventId } = await eventOnSale(app);
    await whileServing(
      async (open) =>
        void (await open({
          path: `/payment/${eventId}`,
          headers: { 'user-agent': agent, cookie: 'pass=1; XSRF-TOKEN=x' },
        })),
    );
    expect(await viewsOf(eventId)).toEqual([{ day: today(), views: 1 }]);
  });

  it('are neither those of the data behind the page, nor of unknown events [VIEWS-1]', async () => {
    const { eventId } = await eventOnSale(app);
    const unknown = newPublicId();
    await whileServing(async (open) => {
      await open({ path: `/api/public/event/${eventId}` });
      await open({ path: `/refund/${eventId}` });
      expect(await open({ path: `/payment/${unknown}` })).toMatchObject({ status: 404 });
    });
    expect([await viewsOf(eventId), await viewsOf(unknown)]).toEqual([[], []]);
  });

  it('are added every ten seconds, from several processes at once, and kept while the database is down [VIEWS-2]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { eventId } = await eventOnSale(app);
    const seen = ['user-agent', PHONE];
    let isDown = true;
    const log = Object.assign(Object.create(app.deps.log), { warn: vi.fn() });
    const db = new Proxy(app.deps.db, {
      get(target, name) {
        if (isDown) throw new Error('down');
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const counters = [openViewCounter({ db, log }), openViewCounter(app.deps)];
    for (const counter of counters)
      for (let view = 0; view < 3; view++) counter.count(eventId, `/payment/${eventId}`, seen);
    vi.advanceTimersByTime(9_999);
    expect(await viewsOf(eventId)).toEqual([]);

    vi.advanceTimersByTime(1);
    const wait = { timeout: 5_000, interval: 50 };
    await vi.waitFor(async () => expect(await viewsOf(eventId)).toEqual([{ day: today(), views: 3 }]), wait);
    expect(log.warn).toHaveBeenCalledOnce();
    isDown = false;
    await Promise.all(counters.map((counter) => counter.flush()));
    expect(await viewsOf(eventId)).toEqual([{ day: today(), views: 6 }]);
  });
});
