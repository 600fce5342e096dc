import { benchmark } from './harness/benchmark.ts';
import { CRAWLING_PAGES, checkoutsAt } from './harness/checkouts.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { ONE_STATEMENT, runOneStatement } from './harness/plain-reservation.ts';
import { openShop } from './harness/shop.ts';

export const bench = benchmark({
  name: 'reserve-http',
  what: '64 and 256 connections reserve 1 to 4 tickets of one type over HTTP, in one process of the product.',
  figures: [
    {
      name: 'reserve-http/64',
      target: { atLeast: 3 },
      baseline: ONE_STATEMENT,
      ratio: ({ of64, plain }) => of64.perSecond / plain.perSecond,
      value: ({ of64 }) => of64.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-http/256',
      target: { atLeast: 5 },
      baseline: ONE_STATEMENT,
      ratio: ({ of256, plain }) => of256.perSecond / plain.perSecond,
      value: ({ of256 }) => of256.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1, settings: CRAWLING_PAGES });
    const [mine, plains] = await putOnSale(shop.ownerPool, { events: 2 });
    if (!mine || !plains) throw new Error('there are no events');
    const checkouts = checkoutsAt(shop, mine);
    return {
      contestants: {
        of64: (seconds) => checkouts.reserve(64, seconds),
        plain: (seconds) => runOneStatement(shop, plains, seconds),
        of256: (seconds) => checkouts.reserve(256, seconds),
      },
      check: async () => [...(await checkouts.wrongOrders()), ...(await wrongStock(shop.ownerPool))],
      close: () => shop.close(),
    };
  },
});
