/** Buyers who reserve at once in this process, beside a plain statement on an event of its own. */
import type { Sample, Stage } from './benchmark.ts';
import { type BenchEvent, putOnSale, wrongStock } from './events-on-sale.ts';
import { reserveAtOnce } from './reserving.ts';
import { openShop, type Shop, type ShopOptions } from './shop.ts';
import { tallied, unlikeAnswers } from './tallied.ts';

export const CLIENTS = 64;

type Baseline = (shop: Shop, event: BenchEvent, seconds: number) => Promise<Sample>;

export async function openReserving(
  runPlain: Baseline,
  options: Pick<ShopOptions, 'database'> = {},
): Promise<Stage<'subject' | 'plain'>> {
  const shop = await openShop(options);
  const [mine, plains] = await putOnSale(shop.ownerPool, { events: 2 });
  if (!mine || !plains) throw new Error('there are no events');
  const subject = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [mine] }, seconds));
  const plain = tallied((seconds) => runPlain(shop, plains, seconds));
  return {
    contestants: { subject: subject.run, plain: plain.run },
    check: async () => [
      ...(await wrongStock(shop.ownerPool)),
      ...(await unlikeAnswers(shop.ownerPool, [mine], subject.total())),
      ...(await unlikeAnswers(shop.ownerPool, [plains], plain.total())),
    ],
    close: () => shop.close(),
  };
}
