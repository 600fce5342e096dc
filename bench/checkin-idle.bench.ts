import { benchmark } from './harness/benchmark.ts';
import { openCheckIn } from './harness/check-in.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';

const TICKETS = 20_000;
const TICKETS_PER_SECOND = 5_000;

export const bench = benchmark<'subject'>({
  name: 'checkin-idle',
  what: 'One device checks in guests by itself: p99 of its scans.',
  metrics: [
    {
      target: { atMost: 10 },
      baseline: 'milliseconds',
      ratio: ({ subject }) => subject.p99 ?? Number.NaN,
      value: ({ subject }) => subject.p50 ?? Number.NaN,
      unit: 'ms p50',
    },
  ],
  async open({ smoke, seconds }) {
    const shop = await openShop({ processes: 1 });
    const [event] = await putOnSale(shop.ownerPool);
    if (!event) throw new Error('there is no event');
    const checkIn = await openCheckIn(shop, event, 1);
    await checkIn.sell(smoke ? TICKETS_PER_SECOND * seconds : TICKETS);
    let admitted = 0;

    return {
      contestants: {
        async subject(seconds) {
          const missing = TICKETS_PER_SECOND * seconds - checkIn.left();
          if (missing > 0) await checkIn.sell(missing);
          return load({
            origins: shop.origins,
            connections: 1,
            seconds,
            next: (device) => checkIn.scan(device, checkIn.nextNumber(), 'real'),
            onAnswer({ status }) {
              if (status === 200) admitted++;
            },
          });
        },
      },
      check: () => checkIn.wrongTotals(admitted),
      close: () => shop.close(),
    };
  },
});
