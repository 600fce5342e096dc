/**
 * How long the hashes of the door's list are. A number has ten digits, so that all of them can be tried in seconds: each
 * hash is cut so short that many numbers fit it, and yet so long that a made-up number seldom fits any ticket's.
 */

/** Of nine thousand million numbers some 270 fit each hash, whatever the event's size. */
export const HASH_BITS_MAX = 25;
const HASH_BITS_MIN = 12;
/** At most one made-up number in so many passes, as long as the event has fewer than 2^25 / 1,000 tickets. */
const MADE_UP_NUMBERS = 1000;

/** `places`: how many tickets the event may sell, which changes less often than how many it has sold. */
export function hashBits(places: number): number {
  const needed = Math.ceil(Math.log2(Math.max(1, places) * MADE_UP_NUMBERS));
  return Math.min(HASH_BITS_MAX, Math.max(HASH_BITS_MIN, needed));
}
