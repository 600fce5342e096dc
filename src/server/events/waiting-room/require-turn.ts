import { turnErrors } from '#contract/waiting-room.ts';
import { calledAt, denyTurn } from '#domain/waiting-room.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cartOf, numberOf, passIn } from './pass.ts';
import { readSale } from './read-sale.ts';
import { isPassUsed } from './used-pass.ts';

/**
 * Refuses whoever comes before the start of sales, or out of turn where the event has a waiting room.
 *
 * @param cookie the browser's places
 * @returns the cart that the place stands for, or null where nobody waits for a turn
 */
export async function requireTurn(
  deps: Pick<Deps, 'db' | 'clock' | 'appSecret'>,
  eventId: string,
  cookie: string | undefined,
): Promise<string | null> {
  const sale = await readSale(deps, eventId);
  // Read after the sale, which may have been waited for.
  const now = deps.clock.now();
  if (!sale) return null;
  if (now < sale.salesStartAt) throw conflict(turnErrors['sales-not-started']);
  if (!sale.room) return null;

  const place = passIn(cookie, { eventId, room: sale.room }, deps.appSecret);
  if (!place) throw conflict(turnErrors['no-place']);
  const number = numberOf(place, sale.room, deps.appSecret);
  const obstacle = number === null ? 'not-your-turn' : denyTurn(calledAt(number, sale.room.paces), now);
  if (obstacle) throw conflict(turnErrors[obstacle]);
  if (await isPassUsed(deps, place)) throw conflict(turnErrors['place-used']);
  return cartOf(place, deps.appSecret);
}
