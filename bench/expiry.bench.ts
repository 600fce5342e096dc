import { releaseExpired } from '#server/orders/release-expired.ts';
import { reserveOrder } from '#server/orders/reserve-order.ts';
import { benchmark, type Sample } from './harness/benchmark.ts';
import { type BenchEvent, ordersOf, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { insertExpiredReservations } from './harness/expired-reservations.ts';
import { Latencies } from './harness/latencies.ts';
import { cartOf, reserveAtOnce, TERMS } from './harness/reserving.ts';
import { openShop, type Shop } from './harness/shop.ts';
import { tallied } from './harness/tallied.ts';

const CLIENTS = 64;
const RESERVATIONS = 100_000;

export const bench = benchmark<'undisturbed' | 'sweeping'>({
  name: 'expiry',
  what: `${RESERVATIONS.toLocaleString('en-US')} reservations expire while ${CLIENTS} clients reserve tickets of the same type.`,
  metrics: [
    {
      name: 'expiry/seconds',
      target: { atMost: 3 },
      baseline: 'seconds until all tickets are released',
      ratio: ({ sweeping }) => sweeping['sweepSeconds'] ?? Number.NaN,
      value: ({ sweeping }) => sweeping['releasedPerSecond'] ?? Number.NaN,
      unit: 'reservations/s',
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
    const reservations = smoke ? 6_000 : RESERVATIONS;
    let inserted = 0;
    const undisturbed = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [event] }, seconds));
    const sweeping = tallied(async () => {
      await insertExpiredReservations(shop.ownerPool, event, reservations);
      inserted += reservations;
      return reserveDuringSweep(shop, event, reservations);
    });
    return {
      contestants: { undisturbed: undisturbed.run, sweeping: sweeping.run },
      async check() {
        const orders = await ordersOf(shop.ownerPool, event.eventId);
        const reserved = undisturbed.total() + sweeping.total();
        return [
          ...(await wrongStock(shop.ownerPool)),
          ...(orders['expired'] === inserted ? [] : [`${orders['expired']} of ${inserted} reservations were released`]),
          ...(orders['reserved'] === reserved
            ? []
            : [`${reserved} carts were confirmed, ${orders['reserved']} orders are reserved`]),
        ];
      },
      close: () => shop.close(),
    };
  },
});

/** The clients stop with the sweep, so that only latencies during the sweep count. */
async function reserveDuringSweep({ deps }: Shop, event: BenchEvent, reservations: number): Promise<Sample> {
  const latencies = new Latencies();
  const start = performance.now();
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const since = performance.now();
      const reserved = await reserveOrder(deps.db, cartOf(event), TERMS);
      if (reserved.is === 'reserved') latencies.record(since);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);

  const released = await releaseExpired(deps, { wait: true });
  const sweepSeconds = (performance.now() - start) / 1000;
  isOver = true;
  await Promise.all(clients);
  if (released !== reservations) throw new Error(`the sweep released ${released} of ${reservations} reservations`);
  return { ...latencies.sample(sweepSeconds), sweepSeconds, releasedPerSecond: reservations / sweepSeconds };
}
