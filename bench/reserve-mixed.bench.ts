import { benchmark } from './harness/benchmark.ts';
import { type BenchEvent, putOnSale, wrongStock } from './harness/events-on-sale.ts';
import { reserveAtOnce } from './harness/reserving.ts';
import { openShop } from './harness/shop.ts';
import { tallied, wrongOrderCount } from './harness/tallied.ts';

const CLIENTS = 64;
const EVENTS = 200;

export const bench = benchmark({
  name: 'reserve-mixed',
  what: `${CLIENTS} clients reserve 1 to 3 ticket types of one event, one type of any of ${EVENTS} events, or one type that sells from shared capacities; the last with a promo code, too.`,
  metrics: [
    {
      name: 'reserve-mixed/types',
      target: { atLeast: 0.7 },
      baseline: 'one type of one event (reserve-core)',
      ratio: ({ types, core }) => types.perSecond / core.perSecond,
      value: ({ types }) => types.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-mixed/events',
      target: { atLeast: 0.5 },
      baseline: 'one type of one event (reserve-core)',
      ratio: ({ events, core }) => events.perSecond / core.perSecond,
      value: ({ events }) => events.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-mixed/shared',
      target: { atLeast: 0.9 },
      baseline: 'one type of one event (reserve-core)',
      ratio: ({ shared, core }) => shared.perSecond / core.perSecond,
      value: ({ shared }) => shared.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-mixed/shared-20',
      target: { atLeast: 0.7 },
      baseline: 'one type of one event (reserve-core)',
      ratio: ({ sharedBy20, core }) => sharedBy20.perSecond / core.perSecond,
      value: ({ sharedBy20 }) => sharedBy20.perSecond,
      unit: 'orders/s',
    },
    {
      name: 'reserve-mixed/promo',
      target: { atLeast: 0.8 },
      baseline: 'one type of one event (reserve-core)',
      ratio: ({ promo, core }) => promo.perSecond / core.perSecond,
      value: ({ promo }) => promo.perSecond,
      unit: 'orders/s',
    },
  ],
  async open() {
    const shop = await openShop();
    const one = await putOnSale(shop.ownerPool);
    const mixed = await putOnSale(shop.ownerPool, { types: 3 });
    const hall = await putOnSale(shop.ownerPool, { sharedCapacities: 1 });
    const halls = await putOnSale(shop.ownerPool, { sharedCapacities: 20 });
    const promoted = await putOnSale(shop.ownerPool, { sharedCapacities: 1, hasPromoCode: true });
    const many = await putOnSale(shop.ownerPool, { events: EVENTS });
    const buyers = (events: readonly BenchEvent[], ticketTypes = 1) =>
      tallied((seconds) => reserveAtOnce(shop, { clients: CLIENTS, events, types: ticketTypes }, seconds));
    const core = buyers(one);
    const types = buyers(mixed, 3);
    const events = buyers(many);
    const shared = buyers(hall);
    const sharedBy20 = buyers(halls);
    const promo = buyers(promoted);
    return {
      contestants: {
        types: types.run,
        core: core.run,
        events: events.run,
        shared: shared.run,
        sharedBy20: sharedBy20.run,
        promo: promo.run,
      },
      check: async () => [
        ...(await wrongStock(shop.ownerPool)),
        ...(await wrongOrderCount(shop.ownerPool, one, core.total())),
        ...(await wrongOrderCount(shop.ownerPool, mixed, types.total())),
        ...(await wrongOrderCount(shop.ownerPool, many, events.total())),
        ...(await wrongOrderCount(shop.ownerPool, hall, shared.total())),
        ...(await wrongOrderCount(shop.ownerPool, halls, sharedBy20.total())),
        ...(await wrongOrderCount(shop.ownerPool, promoted, promo.total())),
      ],
      close: () => shop.close(),
    };
  },
});
