import { benchmark } from './harness/benchmark.ts';
import { checkoutsAt, SLOW_DEQUEUE } from './harness/checkouts.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { openShop } from './harness/shop.ts';

const BASELINE = 'the same server, a constant answer';

export const bench = benchmark({
  name: 'reserve-http-limit',
  what: '64 and 256 connections reserve over HTTP, against the same requests with a constant answer.',
  metrics: [
    {
      name: 'reserve-http-limit/64',
      target: { atLeast: 0.4 },
      baseline: BASELINE,
      ratio: ({ of64, constant64 }) => of64.perSecond / constant64.perSecond,
      value: ({ of64 }) => of64.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-http-limit/256',
      target: { atLeast: 0.55 },
      baseline: BASELINE,
      ratio: ({ of256, constant256 }) => of256.perSecond / constant256.perSecond,
      value: ({ of256 }) => of256.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop({ processes: 1, settings: SLOW_DEQUEUE });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const checkouts = checkoutsAt(shop, event);
    return {
      contestants: {
        of64: (seconds) => checkouts.reserve(64, seconds),
        constant64: (seconds) => checkouts.constant(64, seconds),
        of256: (seconds) => checkouts.reserve(256, seconds),
        constant256: (seconds) => checkouts.constant(256, seconds),
      },
      check: async () => [...(await checkouts.wrongOrders()), ...(await wrongStock(shop.ownerPool))],
      close: () => shop.close(),
    };
  },
});
