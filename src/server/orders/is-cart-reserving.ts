/** Whether a cart has tickets that are held; asked together with whoever else asks. */

import { openLane } from '#server/platform/batching/batcher.ts';
import type { Db } from '#server/platform/database.ts';
import { perDatabase } from '#server/platform/database.ts';
import { type CartRef, cartsThatHold } from './reserve.sql.ts';

export function isCartHolding(db: Db, cart: CartRef): Promise<boolean> {
  return lookUps(db).run(cart);
}

const lookUps = perDatabase((db) =>
  openLane<CartRef, boolean>({
    name: 'cart look-up',
    one: async (cart) => (await cartsThatHold(db, [cart])).has(cart.cartId),
    async many(carts) {
      const holding = await cartsThatHold(db, carts);
      return carts.map((cart) => holding.has(cart.cartId));
    },
  }),
);
