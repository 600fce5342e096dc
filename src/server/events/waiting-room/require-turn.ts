import { calledAt, denyTurn } from '#domain/waiting-room.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cartIdOf, findPass, type Pass, positionOf } from './pass.ts';
import { readSale } from './read-sale.ts';
import { hasPaidCart } from './waiting-room.sql.ts';

/**
 * Rejects a checkout before the start of sales or, if the event has a waiting room, out of turn.
 *
 * @param cookie the browser's passes
 * @returns the cart ID of the pass, or `null` without a waiting room
 */
export async function requireTurn(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  eventId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const sale = await readSale(deps, eventId);
  // After reading the sale, which may take a while.
  const now = deps.clock.now();
  if (!sale) return null;
  if (now < sale.salesStartAt) throw new AppError('waiting-room.sales-not-started');
  if (!sale.room) return null;

  const pass = findPass(cookie, { eventId, room: sale.room }, deps.appSecret);
  if (!pass) throw new AppError('waiting-room.no-pass');
  const position = positionOf(pass, sale.room, deps.appSecret);
  const denial = position === null ? 'not-your-turn' : denyTurn(calledAt(position, sale.room.rates), now);
  if (denial) throw new AppError(`waiting-room.${denial}`);
  if (await isPassUsed(deps, pass)) throw new AppError('waiting-room.pass-used');
  return cartIdOf(pass, deps.appSecret);
}

/** A pass is good for one order. */
export function isPassUsed(deps: Pick<Deps, 'db' | 'appSecret'>, pass: Pass): Promise<boolean> {
  return isCartPaid(deps, pass.eventId, cartIdOf(pass, deps.appSecret));
}

export function isCartPaid({ db }: Pick<Deps, 'db'>, eventId: string, cartId: string): Promise<boolean> {
  return hasPaidCart(db, eventId, cartId);
}
