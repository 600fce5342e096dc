import pg from 'pg';
import { oneStatement } from './harness/baseline-reservation.ts';
import { benchmark } from './harness/benchmark.ts';
import { closedLoop } from './harness/closed-loop.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { oneToFour, reserveAtOnce } from './harness/reserving.ts';
import { openShop } from './harness/shop.ts';
import { tallied, wrongOrderCount } from './harness/tallied.ts';

const BASELINE = 'p50 of one statement, 1 conn';

export const bench = benchmark({
  name: 'reserve-latency',
  what: '1 and 16 clients reserve 1 to 4 tickets of one type: p99 of their latency.',
  metrics: [
    {
      name: 'reserve-latency/1',
      target: { atMost: 10 },
      baseline: BASELINE,
      ratio: ({ alone, baseline }) => (alone.p99 ?? Number.NaN) / (baseline.p50 ?? Number.NaN),
      value: ({ alone }) => alone.p99 ?? Number.NaN,
      unit: 'ms p99',
    },
    {
      name: 'reserve-latency/16',
      target: { atMost: 20 },
      baseline: BASELINE,
      ratio: ({ of16, baseline }) => (of16.p99 ?? Number.NaN) / (baseline.p50 ?? Number.NaN),
      value: ({ of16 }) => of16.p99 ?? Number.NaN,
      unit: 'ms p99',
    },
  ],
  async open() {
    const shop = await openShop();
    const [event, baselineEvent] = await putOnSale(shop.ownerPool, { events: 2 });
    if (!event || !baselineEvent) throw new Error('there are no events');
    const client = new pg.Client({ connectionString: shop.connectionString });
    await client.connect();
    const text = oneStatement(baselineEvent).replaceAll(':quantity', '$1::int');
    const buyers = (clients: number) =>
      tallied((seconds) => reserveAtOnce(shop, { clients, events: [event] }, seconds));
    const [alone, of16] = [buyers(1), buyers(16)];
    const baseline = tallied((seconds) =>
      closedLoop({ clients: 1, seconds }, async () => {
        await client.query({ name: 'baseline', text, values: [oneToFour()] });
      }),
    );
    return {
      contestants: { alone: alone.run, baseline: baseline.run, of16: of16.run },
      check: async () => [
        ...(await wrongStock(shop.ownerPool)),
        ...(await wrongOrderCount(shop.ownerPool, [event], alone.total() + of16.total())),
        ...(await wrongOrderCount(shop.ownerPool, [baselineEvent], baseline.total())),
      ],
      async close() {
        await client.end();
        await shop.close();
      },
    };
  },
});
