import { benchmark } from './harness/benchmark.ts';
import { putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { ONE_STATEMENT, runOneStatement } from './harness/plain-reservation.ts';
import { reserveAtOnce } from './harness/reserving.ts';
import { openShop } from './harness/shop.ts';
import { tallied, unlikeAnswers } from './harness/tallied.ts';

const CLIENTS = 64;

export const bench = benchmark({
  name: 'reserve-slowdisk',
  what: `${CLIENTS} clients reserve 1 to 4 tickets of one type, where each commit takes a millisecond at least.`,
  figures: [
    {
      target: { atLeast: 25 },
      baseline: ONE_STATEMENT,
      ratio: ({ subject, plain }) => subject.perSecond / plain.perSecond,
      value: ({ subject }) => subject.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop({ database: { commit_delay: '1000', commit_siblings: '0' } });
    const [mine, plains] = await putOnSale(shop.ownerPool, { events: 2 });
    if (!mine || !plains) throw new Error('there are no events');
    const subject = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [mine] }, seconds));
    const plain = tallied((seconds) => runOneStatement(shop, plains, seconds));
    return {
      contestants: { subject: subject.run, plain: plain.run },
      check: async () => [
        ...(await wrongStock(shop.ownerPool)),
        ...(await unlikeAnswers(shop.ownerPool, [mine], subject.total())),
        ...(await unlikeAnswers(shop.ownerPool, [plains], plain.total())),
      ],
      close: () => shop.close(),
    };
  },
});
