import { ONE_STATEMENT, runOneStatement } from './harness/baseline-reservation.ts';
import { benchmark } from './harness/benchmark.ts';
import { checkoutsAt, SLOW_DEQUEUE } from './harness/checkouts.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { openShop } from './harness/shop.ts';

export const bench = benchmark({
  name: 'reserve-http',
  what: '64 and 256 connections reserve 1 to 4 tickets of one type over HTTP, against one server process.',
  metrics: [
    {
      name: 'reserve-http/64',
      target: { atLeast: 3 },
      baseline: ONE_STATEMENT,
      ratio: ({ of64, baseline }) => of64.perSecond / baseline.perSecond,
      value: ({ of64 }) => of64.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-http/256',
      target: { atLeast: 5 },
      baseline: ONE_STATEMENT,
      ratio: ({ of256, baseline }) => of256.perSecond / baseline.perSecond,
      value: ({ of256 }) => of256.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1, settings: SLOW_DEQUEUE });
    const [event, baselineEvent] = await putOnSale(shop.ownerPool, { events: 2 });
    if (!event || !baselineEvent) throw new Error('there are no events');
    const checkouts = checkoutsAt(shop, event);
    return {
      contestants: {
        of64: (seconds) => checkouts.reserve(64, seconds),
        baseline: (seconds) => runOneStatement(shop, baselineEvent, seconds),
        of256: (seconds) => checkouts.reserve(256, seconds),
      },
      check: async () => [...(await checkouts.wrongOrders()), ...(await wrongStock(shop.ownerPool))],
      close: () => shop.close(),
    };
  },
});
