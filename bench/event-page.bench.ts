import { publicEvent } from '#contract/app/events.ts';
import { benchmark } from './harness/benchmark.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { get, load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';
import { startBareServer } from './harness/start-bare-server.ts';

const CONNECTIONS = 64;
/** With six ticket types and their descriptions, about 4.5 kB. */
const DESCRIPTION = 'Six horns in a cellar, two sets and a long break. '.repeat(40);

export const bench = benchmark({
  name: 'event-page',
  what: `${CONNECTIONS} connections read an event, as JSON and as a page.`,
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
  ],
  async open() {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool, { types: 6 });
    await shop.ownerPool.query('update events set description = $1', [DESCRIPTION]);
    const paths = {
      reply: publicEvent.path.replace(':eventId', event?.eventId ?? ''),
      page: `/payment/${event?.eventId}`,
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

/** Headers that Node adds, or that differ per request. */
const NOT_OURS = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** The app's headers and the body of one response. */
async function sent(url: string): Promise<string> {
  const reply = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  const headers = [...reply.headers].filter(([name]) => !NOT_OURS.has(name));
  return JSON.stringify([headers, await reply.text()]);
}
