import { reserveOrder } from '#server/orders/reserve-order.ts';
import { newId } from '#server/platform/ids.ts';
import { benchmark } from './harness/benchmark.ts';
import { type BenchEvent, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { cartOf, TERMS } from './harness/reserving.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { wrongOrderCount } from './harness/tallied.ts';

const CLIENTS = 1_000;
const TICKETS = 500;
/** One of them sends the same cart this often. */
const GREEDY = 10;

export const bench = benchmark({
  name: 'reserve-fair',
  what: `${CLIENTS} clients want one of ${TICKETS} tickets, and one sends the same cart ${GREEDY} times.`,
  metrics: [
    {
      name: 'reserve-fair/order',
      target: { atMost: 0 },
      baseline: 'buyers without a ticket who came before one with a ticket',
      ratio: ({ subject }) => subject['overtaken'] ?? Number.NaN,
      value: ({ subject }) => subject.perSecond,
      unit: 'answers/s',
    },
    {
      name: 'reserve-fair/carts',
      target: { atMost: 1 },
      baseline: 'orders of the buyer who came ten times',
      ratio: ({ subject }) => subject['greedy'] ?? Number.NaN,
      value: ({ subject }) => subject['greedy'] ?? Number.NaN,
      unit: 'orders',
    },
  ],
  async open() {
    const shop = await openShop();
    const events: BenchEvent[] = [];
    let reserved = 0;
    return {
      contestants: {
        async subject(seconds) {
          const start = performance.now();
          const worst = { overtaken: 0, greedy: 0 };
          let answers = 0;
          do {
            const { event, winners, overtaken, greedy } = await rush(shop);
            events.push(event);
            reserved += winners;
            worst.overtaken = Math.max(worst.overtaken, overtaken);
            worst.greedy = Math.max(worst.greedy, greedy);
            answers += CLIENTS + GREEDY;
          } while (performance.now() < start + seconds * 1000);
          return { perSecond: answers / ((performance.now() - start) / 1000), ...worst };
        },
      },
      async check({ subject }) {
        const wrong = await wrongStock(shop.ownerPool);
        wrong.push(...(await wrongOrderCount(shop.ownerPool, events, reserved)));
        const tickets = events.length * TICKETS;
        if (reserved !== tickets) wrong.push(`${reserved} of ${tickets} tickets were reserved`);
        if (subject['overtaken'] !== 0)
          wrong.push(`${subject['overtaken']} buyers without a ticket came before one with a ticket`);
        if (subject['greedy'] !== 1) wrong.push(`the buyer who came ${GREEDY} times has ${subject['greedy']} orders`);
        return wrong;
      },
      close: () => shop.close(),
    };
  },
});

interface Rush {
  event: BenchEvent;
  /** Buyers whose reservation was confirmed. */
  winners: number;
  overtaken: number;
  greedy: number;
}

/** All arrive at once, in a known order; the greedy buyer first, and then every hundred arrivals. */
async function rush(shop: Shop): Promise<Rush> {
  const [event] = await putOnSale(shop.ownerPool, { quantity: TICKETS });
  if (!event) throw new Error('there is no event');
  const cartId = newId();
  const arrivals = Array.from({ length: CLIENTS + GREEDY }, (_, position) => {
    const { lines, ...cart } = cartOf(event);
    const one = lines.map((line) => ({ ...line, quantity: 1 }));
    const isGreedy = position % (CLIENTS / GREEDY) === 0 && position < CLIENTS;
    return { ...cart, cartId: isGreedy ? cartId : newId(), lines: one, totalCents: one[0]?.unitPriceCents ?? 0 };
  });
  const outcomes = await Promise.all(arrivals.map((order) => reserveOrder(shop.deps.db, order, TERMS)));

  const winners = outcomes.filter(({ is }) => is === 'reserved').length;
  const lastWinner = outcomes.findLastIndex(({ is }) => is === 'reserved');
  const overtaken = outcomes.slice(0, lastWinner).filter(({ is }) => is === 'sold-out').length;
  const greedy = outcomes.filter(({ is }, place) => is === 'reserved' && arrivals[place]?.cartId === cartId).length;
  return { event, winners, overtaken, greedy };
}
