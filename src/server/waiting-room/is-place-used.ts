import { isCartPaid } from '#server/checkout/is-cart-paid.ts';
import type { Deps } from '#server/deps.ts';
import { cartOf, type Place } from './place.ts';

/** A place is good for one order. */
export function isPlaceUsed(deps: Pick<Deps, 'db' | 'appSecret'>, place: Place): Promise<boolean> {
  return isCartPaid(deps, place.eventId, cartOf(place, deps.appSecret));
}
