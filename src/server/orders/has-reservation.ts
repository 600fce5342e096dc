/** Whether a cart has reserved tickets. Concurrent lookups share one query. */
import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { type CartRef, findCartsWithReservation } from './core/reserve.sql.ts';

export function hasReservation(db: Db, cart: CartRef): Promise<boolean> {
  return batcherOf(db).run(cart);
}

const batcherOf = perDatabase((db) =>
  openBatcher<CartRef, boolean>({
    name: 'cart look-up',
    one: async (cart) => (await findCartsWithReservation(db, [cart])).has(cart.cartId),
    async many(carts) {
      const reserving = await findCartsWithReservation(db, carts);
      return carts.map((cart) => reserving.has(cart.cartId));
    },
  }),
);
