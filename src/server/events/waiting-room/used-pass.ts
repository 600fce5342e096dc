import type { Deps } from '#server/platform/deps.ts';
import { cartOf, type Pass } from './pass.ts';
import { hasPaidCart } from './waiting-room.sql.ts';

/** A place is good for one order. */
export function isPassUsed(deps: Pick<Deps, 'db' | 'appSecret'>, place: Pass): Promise<boolean> {
  return isCartPaid(deps, place.eventId, cartOf(place, deps.appSecret));
}

/** Whether a cart has become tickets. */
export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
