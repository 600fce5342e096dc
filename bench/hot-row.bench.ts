import { reserveOrder } from '#server/orders/reserve-order.ts';
import { benchmark } from './harness/benchmark.ts';
import { type BenchEvent, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { cartOf, TERMS } from './harness/reserving.ts';
import { openShop } from './harness/shop.ts';
import { wrongOrderCount } from './harness/tallied.ts';

const CLIENTS = 64;
const ORDERS = 100_000;
const ORDERS_IN_SMOKE = 2_000;

export const bench = benchmark<'subject'>({
  name: 'hot-row',
  what: `${CLIENTS} clients reserve ${ORDERS} times from one fresh row: does it slow down?`,
  metrics: [
    {
      target: { atLeast: 0.85 },
      baseline: 'the first tenth of the same reservations',
      ratio: ({ subject }) => (subject['lastTenth'] ?? 0) / (subject['firstTenth'] ?? 0),
      value: ({ subject }) => subject['lastTenth'] ?? 0,
      unit: 'orders/s',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop();
    const orders = smoke ? ORDERS_IN_SMOKE : ORDERS;
    const events: BenchEvent[] = [];
    let confirmed = 0;
    return {
      contestants: {
        async subject() {
          const [event] = await putOnSale(shop.ownerPool);
          if (!event) throw new Error('there is no event');
          const hot = event;
          events.push(hot);
          const tenths: number[] = [];
          let started = 0;
          let done = 0;
          let since = performance.now();
          async function client(): Promise<void> {
            while (started++ < orders) {
              const { is } = await reserveOrder(shop.deps.db, cartOf(hot), TERMS);
              if (is !== 'reserved') continue;
              done += 1;
              if (done % (orders / 10) !== 0) continue;
              const now = performance.now();
              tenths.push(orders / 10 / ((now - since) / 1000));
              since = now;
            }
          }
          const start = performance.now();
          await Promise.all(Array.from({ length: CLIENTS }, client));
          const perSecond = done / ((performance.now() - start) / 1000);
          confirmed += done;
          return { perSecond, firstTenth: tenths[0], lastTenth: tenths.at(-1) };
        },
      },
      async check() {
        const wrong = await wrongStock(shop.ownerPool);
        wrong.push(...(await wrongOrderCount(shop.ownerPool, events, confirmed)));
        const carts = events.length * orders;
        if (confirmed !== carts) wrong.push(`${carts} carts were sent, ${confirmed} were confirmed`);
        return wrong;
      },
      close: () => shop.close(),
    };
  },
});
