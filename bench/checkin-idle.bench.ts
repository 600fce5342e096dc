import { benchmark } from './harness/benchmark.ts';
import { openDoor } from './harness/door.ts';
import { putOnSale } from './harness/events-on-sale.ts';
import { load } from './harness/load.ts';
import { openShop } from './harness/shop.ts';

const TICKETS = 20_000;
const A_SECOND = 5_000;

export const bench = benchmark<'subject'>({
  name: 'checkin-idle',
  what: 'One device alone at the door: how long the slowest guest in a hundred waits.',
  figures: [
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
    const door = await openDoor(shop, event, 1);
    await door.sell(smoke ? A_SECOND * seconds : TICKETS);
    let letIn = 0;

    return {
      contestants: {
        async subject(seconds) {
          const missing = A_SECOND * seconds - door.left();
          if (missing > 0) await door.sell(missing);
          return load({
            origins: shop.origins,
            connections: 1,
            seconds,
            next: (device) => door.scan(device, door.nextNumber(), 'real'),
            onAnswer({ status }) {
              if (status === 200) letIn++;
            },
          });
        },
      },
      check: () => door.wrongTotals(letIn),
      close: () => shop.close(),
    };
  },
});
