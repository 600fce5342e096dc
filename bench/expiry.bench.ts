import { releaseExpired } from '#server/orders/release-expired.ts';
import { reserveOrder } from '#server/orders/reserve-order.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { type BenchEvent, ordersOf, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { plantLapsedHolds } from './harness/lapsed-holds.ts';
import { Latencies } from './harness/latencies.ts';
import { cartOf, reserveAtOnce } from './harness/reserving.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { tallied } from './harness/tallied.ts';

const CLIENTS = 64;
const HOLDS = 100_000;

export const bench = benchmark<'undisturbed' | 'sweeping'>({
  name: 'expiry',
  what: `${HOLDS.toLocaleString('en-US')} holds end while ${CLIENTS} clients reserve tickets of the same type.`,
  figures: [
    {
      name: 'expiry/seconds',
      target: { atMost: 3 },
      baseline: 'seconds until all tickets are back',
      ratio: ({ sweeping }) => sweeping['sweepSeconds'] ?? Number.NaN,
      value: ({ sweeping }) => sweeping['holdsPerSecond'] ?? Number.NaN,
      unit: 'holds/s',
    },
    {
      name: 'expiry/p99',
      target: { atMost: 3 },
      baseline: 'p99 of the same reservations, undisturbed',
      ratio: ({ sweeping, undisturbed }) => (sweeping.p99 ?? Number.NaN) / (undisturbed.p99 ?? Number.NaN),
      value: ({ sweeping }) => sweeping.p99 ?? Number.NaN,
      unit: 'ms',
    },
  ],
  async open({ smoke }) {
    const shop = await openShop();
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const holds = smoke ? 6_000 : HOLDS;
    let planted = 0;
    const undisturbed = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [event] }, seconds));
    const sweeping = tallied(async () => {
      await plantLapsedHolds(shop.ownerPool, event, holds);
      planted += holds;
      return reserveDuringSweep(shop, event, holds);
    });
    return {
      contestants: { undisturbed: undisturbed.run, sweeping: sweeping.run },
      async check() {
        const orders = await ordersOf(shop.ownerPool, event.eventId);
        const reserved = undisturbed.total() + sweeping.total();
        return [
          ...(await wrongStock(shop.ownerPool)),
          ...(orders['expired'] === planted ? [] : [`${orders['expired']} of ${planted} holds were given back`]),
          ...(orders['held'] === reserved
            ? []
            : [`${reserved} carts were told that they hold tickets, ${orders['held']} do`]),
        ];
      },
      close: () => shop.close(),
    };
  },
});

/** The clients stop with the sweep: only what they waited during it counts. */
async function reserveDuringSweep({ deps }: Shop, event: BenchEvent, holds: number): Promise<Sample> {
  const latencies = new Latencies();
  const start = performance.now();
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const since = performance.now();
      const reserved = await reserveOrder(deps.db, cartOf(event), null);
      if (reserved.is === 'reserved') latencies.record(since);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);

  const given = await releaseExpired(deps, { wait: true });
  const sweepSeconds = (performance.now() - start) / 1000;
  isOver = true;
  await Promise.all(clients);
  if (given !== holds) throw new Error(`the sweep gave back ${given} of ${holds} holds`);
  return { ...latencies.sample(sweepSeconds), sweepSeconds, holdsPerSecond: holds / sweepSeconds };
}
