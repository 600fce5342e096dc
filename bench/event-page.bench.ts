import { publicEvent } from '#contract/app/events.ts';
import type { Pool } from '#server/platform/database.ts';
import { benchmark } from './harness/benchmark.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { get, load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';
import { startBareServer } from './harness/start-bare-server.ts';

const CONNECTIONS = 64;
/** With six ticket types and their descriptions, about 4.5 kB. */
const DESCRIPTION = 'Six horns in a cellar, two sets and a long break. '.repeat(40);

/** Every other one belongs to a series. */
const DATES = 24;
const SERIES_ID = 'SeriesOfConcerts';
const SLUG = 'cooperage-nights';

export const bench = benchmark({
  name: 'event-page',
  what: `${CONNECTIONS} connections read an event, as JSON and as a page, and the pages of its organizer and of its series.`,
  metrics: [
    {
      target: { atLeast: 0.9 },
      baseline: 'bare node:http, same bytes and headers',
      ratio: ({ reply, bareReply }) => reply.perSecond / bareReply.perSecond,
      value: ({ reply }) => reply.perSecond,
      unit: 'req/s',
    },
    {
      name: 'event-page/html',
      target: { atLeast: 0.9 },
      baseline: 'bare node:http, same bytes and headers',
      ratio: ({ page, barePage }) => page.perSecond / barePage.perSecond,
      value: ({ page }) => page.perSecond,
      unit: 'req/s',
    },
    {
      name: 'event-page/organizer',
      target: { atLeast: 0.9 },
      baseline: 'the page of an event',
      ratio: ({ organizer, page }) => organizer.perSecond / page.perSecond,
      value: ({ organizer }) => organizer.perSecond,
      unit: 'req/s',
    },
    {
      name: 'event-page/series',
      target: { atLeast: 0.9 },
      baseline: 'the page of an event',
      ratio: ({ series, page }) => series.perSecond / page.perSecond,
      value: ({ series }) => series.perSecond,
      unit: 'req/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool, { events: DATES, types: 6 });
    await shop.ownerPool.query('update events set description = $1', [DESCRIPTION]);
    await makeSeries(shop.ownerPool, event?.eventId);
    const paths = {
      reply: publicEvent.path.replace(':eventId', event?.eventId ?? ''),
      page: `/payment/${event?.eventId}`,
      organizer: `/o/${SLUG}`,
      series: `/series/${SERIES_ID}`,
    };
    const bare = {
      reply: await startBareServer(`${shop.origins[0]}${paths.reply}`),
      page: await startBareServer(`${shop.origins[0]}${paths.page}`),
    };
    const run = (origins: readonly string[], path: string) => (seconds: number) =>
      load({ origins, connections: CONNECTIONS, seconds, next: () => get(path) });
    return {
      contestants: {
        reply: run(shop.origins, paths.reply),
        bareReply: run([bare.reply.ready], paths.reply),
        page: run(shop.origins, paths.page),
        barePage: run([bare.page.ready], paths.page),
        organizer: run(shop.origins, paths.organizer),
        series: run(shop.origins, paths.series),
      },
      async check(round) {
        const wrong = Object.entries(round)
          .filter(([, sample]) => sample['status200'] !== sample['count'])
          .map(([name]) => `${name} gave an answer other than 200`);
        for (const kind of ['reply', 'page'] as const) {
          if ((await sent(`${shop.origins[0]}${paths[kind]}`)) !== (await sent(bare[kind].ready)))
            wrong.push(`the bare server's ${kind} differs from the app's`);
        }
        return wrong;
      },
      async close() {
        await bare.reply.stop();
        await bare.page.stop();
        await shop.close();
      },
    };
  },
});

/** Half of the events, a week apart, and a page for their organizer. */
async function makeSeries(pool: Pool, first: string | undefined): Promise<void> {
  await pool.query('update organizations set slug = $1', [SLUG]);
  await pool.query('insert into series (id, organization_id, created_at) select $1, id, now() from organizations', [
    SERIES_ID,
  ]);
  await pool.query(
    `update events e
        set series_id = case when n % 2 = 1 then $1 end, starts_at = starts_at + n * interval '1 week', ends_at = ends_at + n * interval '1 week'
       from (select id, row_number() over (order by id = $2 desc, id) as n from events) as numbered
      where numbered.id = e.id`,
    [SERIES_ID, first],
  );
}

/** Headers that Node adds, or that differ per request. */
const NOT_OURS = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** The app's headers and the body of one response. */
async function sent(url: string): Promise<string> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const headers = [...reply.headers].filter(([name]) => !NOT_OURS.has(name));
  return JSON.stringify([headers, await reply.text()]);
}
