import { benchmark } from './harness/benchmark.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { BATCHES_OF_64, runBatchesOf64 } from './harness/plain-reservation.ts';
import { reserveAtOnce } from './harness/reserving.ts';
import { openShop } from './harness/shop.ts';
import { tallied, unlikeAnswers } from './harness/tallied.ts';

const CLIENTS = 64;

export const bench = benchmark({
  name: 'reserve-core-limit',
  what: `${CLIENTS} clients in one process reserve 1 to 4 tickets of one type, beside the most that the tables take.`,
  figures: [
    {
      target: { atLeast: 0.6 },
      baseline: BATCHES_OF_64,
      ratio: ({ subject, batches }) => subject.perSecond / batches.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop();
    const [mine, plains] = await putOnSale(shop.ownerPool, { events: 2 });
    if (!mine || !plains) throw new Error('there are no events');
    const subject = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [mine] }, seconds));
    const batches = tallied((seconds) => runBatchesOf64(shop, plains, seconds));
    return {
      contestants: { subject: subject.run, batches: batches.run },
      check: async () => [
        ...(await wrongStock(shop.ownerPool)),
        ...(await unlikeAnswers(shop.ownerPool, [mine], subject.total())),
        ...(await unlikeAnswers(shop.ownerPool, [plains], batches.total())),
      ],
      close: () => shop.close(),
    };
  },
});
