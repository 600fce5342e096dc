/** How precisely the public page shows the remaining stock. */

/** The page says how many are left. */
export const FEW_LEFT_MAX = 10;
const EXACT_AVAILABILITY_BELOW = 20;

/**
 * Tickets left as buyers see them: exact below 20, then rounded down to the leading digit (482 shows as 400).
 * Deliberately coarse: the page may be cached, and only a reservation is authoritative.
 */
export function shownAvailability(ticketsLeft: number): number {
  if (ticketsLeft < EXACT_AVAILABILITY_BELOW) return Math.max(0, ticketsLeft);
  const magnitude = magnitudeOf(ticketsLeft);
  return Math.floor(ticketsLeft / magnitude) * magnitude;
}

/** The most that can be left where this is shown. */
export function leftAtMost(shown: number): number {
  return shown < EXACT_AVAILABILITY_BELOW ? shown : shown + magnitudeOf(shown) - 1;
}

const magnitudeOf = (count: number): number => 10 ** Math.floor(Math.log10(count));
