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
  name: 'event-304',
  what: `${CONNECTIONS} connections revalidate a cached event.`,
  metrics: [
    {
      target: { atLeast: 1 },
      baseline: 'bare node:http, same answer as 200',
      ratio: ({ subject, bare }) => subject.perSecond / bare.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'req/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool, { types: 6 });
    await shop.ownerPool.query('update events set description = $1', [DESCRIPTION]);
    const path = publicEvent.path.replace(':eventId', event?.eventId ?? '');
    const url = `${shop.origins[0]}${path}`;
    const bare = await startBareServer(url);
    const etag = (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).headers.get('etag') ?? '"none"';

    const run = (origins: readonly string[], request: Buffer) => (seconds: number) =>
      load({ origins, connections: CONNECTIONS, seconds, next: () => request });
    return {
      contestants: {
        subject: run(shop.origins, get(path, { 'if-none-match': etag })),
        bare: run([bare.ready], get(path)),
      },
      async check({ subject, bare: bareSample }) {
        return [
          ...(subject['status304'] === subject['count'] ? [] : [`${subject['status200']} answers had a body`]),
          ...(bareSample['status200'] === bareSample['count'] ? [] : ['the bare server answered something else']),
        ];
      },
      async close() {
        await bare.stop();
        await shop.close();
      },
    };
  },
});
