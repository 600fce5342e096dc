import type { Deps } from '#server/deps.ts';
import { hasPaidCart } from './paid-carts.sql.ts';

/** Whether a cart has become tickets. */
export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
