/** Whether a cart has tickets that are held; asked together with whoever else asks. */

import { openBatcher } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { type CartRef, cartsThatReserve } from './reserve.sql.ts';

export function isCartReserving(db: Db, cart: CartRef): Promise<boolean> {
  return lookUps(db).run(cart);
}

const lookUps = perDatabase((db) =>
  openBatcher<CartRef, boolean>({
    name: 'cart look-up',
    one: async (cart) => (await cartsThatReserve(db, [cart])).has(cart.cartId),
    async many(carts) {
      const holding = await cartsThatReserve(db, carts);
      return carts.map((cart) => holding.has(cart.cartId));
    },
  }),
);
