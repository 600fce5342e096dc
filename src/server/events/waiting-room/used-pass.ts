import type { Deps } from '#server/platform/deps.ts';
import { cartIdOf, type Pass } from './pass.ts';
import { hasPaidCart } from './waiting-room.sql.ts';

/** A pass is good for one order. */
export function isPassUsed(deps: Pick<Deps, 'db' | 'appSecret'>, pass: Pass): Promise<boolean> {
  return isCartPaid(deps, pass.eventId, cartIdOf(pass, deps.appSecret));
}

export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
