import { turnRefusals } from '#contract/waiting-room.ts';
import { calledAt, turnObstacle } from '#domain/waiting-room.ts';
import { conflict } from '#server/platform/app-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { cartOf, numberOf, placeIn } from './pass.ts';
import { readSale } from './read-sale.ts';
import { isPlaceUsed } from './used-pass.ts';

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
  if (now < sale.salesStartAt) throw conflict(turnRefusals['sales-not-started']);
  if (!sale.room) return null;

  const place = placeIn(cookie, { eventId, room: sale.room }, deps.appSecret);
  if (!place) throw conflict(turnRefusals['no-place']);
  const number = numberOf(place, sale.room, deps.appSecret);
  const obstacle = number === null ? 'not-your-turn' : turnObstacle(calledAt(number, sale.room.paces), now);
  if (obstacle) throw conflict(turnRefusals[obstacle]);
  if (await isPlaceUsed(deps, place)) throw conflict(turnRefusals['place-used']);
  return cartOf(place, deps.appSecret);
}
