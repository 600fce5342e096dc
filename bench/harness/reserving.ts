/** Random carts, and many clients that reserve at once. */
import type { CartOrder } from '#server/orders/core/stock.sql.ts';
import { reserveOrder } from '#server/orders/reserve-order.ts';
import { newId } from '#server/platform/ids.ts';
import type { Sample } from './benchmark.ts';
import { closedLoop } from './closed-loop.ts';
import type { BenchEvent } from './events-on-sale.ts';
import type { Shop } from './shop.ts';

/** As in the default settings. */
export const TERMS = { pagesPerSecond: null, unpaidMax: 20 };

const PRICE_CENTS = 24_00;

export const oneToFour = () => 1 + Math.floor(Math.random() * 4);
const anyOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)];

/** 1 to 4 tickets of each of the event's first `types` ticket types. */
export function cartOf(event: BenchEvent, types = 1): CartOrder {
  const lines = event.types.slice(0, types).map(({ id, name }) => ({
    ticketTypeId: id,
    ticketName: name,
    listPriceCents: PRICE_CENTS,
    unitPriceCents: event.promoCodeId === null ? PRICE_CENTS : PRICE_CENTS - PRICE_CENTS / 5,
    promoCodeId: event.promoCodeId,
    quantity: oneToFour(),
  }));
  lines.sort((a, b) => (a.ticketTypeId < b.ticketTypeId ? -1 : 1));
  const totalCents = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
  const order = { eventId: event.eventId, orderId: newId(), cartId: null, totalCents, lines };
  return { ...order, promoVersion: 1, networkHash: anyNetwork() };
}

/** One of so many networks that none reaches its limit: the hash of a crowd's networks. */
const anyNetwork = () => Math.floor(Math.random() * 2 ** 48);

export interface Buyers {
  clients: number;
  events: readonly BenchEvent[];
  /** Most ticket types per cart. */
  types?: number;
}

/** Reservations per second through the app's batcher, in this process. */
export function reserveAtOnce(shop: Shop, { clients, events, types = 1 }: Buyers, seconds: number): Promise<Sample> {
  return closedLoop({ clients, seconds }, async () => {
    const event = anyOf(events);
    if (!event) throw new Error('there are no events');
    const reserved = await reserveOrder(shop.deps.db, cartOf(event, 1 + Math.floor(Math.random() * types)), TERMS);
    return reserved.is === 'reserved';
  });
}
