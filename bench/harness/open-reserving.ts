/** Concurrent reservations in this process, against a single SQL statement on another event. */
import type { Fixture, Sample } from './benchmark.ts';
import { type BenchEvent, putOnSale, wrongStock } from './events-on-sale.ts';
import { reserveAtOnce } from './reserving.ts';
import { openShop, type Shop, type ShopOptions } from './shop.ts';
import { tallied, wrongOrderCount } from './tallied.ts';

export const CLIENTS = 64;

type Baseline = (shop: Shop, event: BenchEvent, seconds: number) => Promise<Sample>;

export async function openReserving(
  runBaseline: Baseline,
  options: Pick<ShopOptions, 'database'> = {},
): Promise<Fixture<'subject' | 'baseline'>> {
  const shop = await openShop(options);
  const [event, baselineEvent] = await putOnSale(shop.ownerPool, { events: 2 });
  if (!event || !baselineEvent) throw new Error('there are no events');
  const subject = tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events: [event] }, seconds));
  const baseline = tallied((seconds) => runBaseline(shop, baselineEvent, seconds));
  return {
    contestants: { subject: subject.run, baseline: baseline.run },
    check: async () => [
      ...(await wrongStock(shop.ownerPool)),
      ...(await wrongOrderCount(shop.ownerPool, [event], subject.total())),
      ...(await wrongOrderCount(shop.ownerPool, [baselineEvent], baseline.total())),
    ],
    close: () => shop.close(),
  };
}
