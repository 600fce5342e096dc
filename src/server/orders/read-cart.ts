/**
 * Prices carts with event data that is cached for a moment. The reservation verifies that the event sells, and each type's name and
 * price; a cart is rejected only after a fresh read.
 */
import { LRUCache } from 'lru-cache';
import type { createCheckoutSession } from '#contract/app/checkout.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { type CartLine, priceCart } from '#domain/order.ts';
import { AppError } from '#server/platform/app-error.ts';
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { type EventOnSale, eventsOnSale } from './core/reserve.sql.ts';

export type Cart = InputOf<typeof createCheckoutSession>;

const CACHED_MS = 250;
const CACHED_MAX = 1_000;

export function readCart(cart: Cart, event: EventOnSale | undefined): CartLine[] | AppError {
  if (!event) return new AppError('event.not-found');
  const lines = priceCart(cart.cartItems, event);
  return typeof lines === 'string' ? new AppError(`checkout.${lines}`) : lines;
}

export function cachedEventOnSale(db: Db, eventId: string): EventOnSale | undefined {
  return cacheOf(db).events.get(eventId);
}

/** Reads fresh data, batched with concurrent requests. */
export function readEventOnSale(db: Db, eventId: string): Promise<EventOnSale | undefined> {
  return cacheOf(db).batcher.run(eventId);
}

const cacheOf = perDatabase((db) => {
  const events = new LRUCache<string, EventOnSale>({ max: CACHED_MAX, ttl: CACHED_MS });
  const batcher = openBatcher<string, EventOnSale | undefined>({
    name: 'event look-up',
    one: async (eventId) => (await read([eventId])).get(eventId),
    async many(eventIds) {
      const found = await read([...new Set(eventIds)]);
      return eventIds.map((eventId) => found.get(eventId));
    },
  });
  return { events, batcher };

  async function read(eventIds: readonly string[]): Promise<Map<string, EventOnSale>> {
    const start = performance.now();
    const found = new Map((await eventsOnSale(db, eventIds)).map((event) => [event.id, event]));
    for (const eventId of eventIds) events.delete(eventId);
    for (const [eventId, event] of found) events.set(eventId, event, { start });
    return found;
  }
});
