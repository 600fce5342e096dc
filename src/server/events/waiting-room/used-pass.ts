import type { Deps } from '#server/platform/deps.ts';
import { cartOf, type Place } from './pass.ts';
import { hasPaidCart } from './waiting-room.sql.ts';

/** A place is good for one order. */
export function isPlaceUsed(deps: Pick<Deps, 'db' | 'appSecret'>, place: Place): Promise<boolean> {
  return isCartPaid(deps, place.eventId, cartOf(place, deps.appSecret));
}

/** Whether a cart has become tickets. */
export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
