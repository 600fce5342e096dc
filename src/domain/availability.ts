/** How much of the stock the public page reveals. */

export const EXACT_AVAILABILITY_MAX = 10;

/**
 * Tickets left as buyers see them: exact up to ten, then rounded down to its leading digit
 * (482 left shows as 400). Coarse on purpose: the page may be cached, and a reservation decides.
 */
export function shownAvailability(ticketsLeft: number): number {
  if (ticketsLeft <= EXACT_AVAILABILITY_MAX) return Math.max(0, ticketsLeft);
  const magnitude = 10 ** Math.floor(Math.log10(ticketsLeft));
  return Math.floor(ticketsLeft / magnitude) * magnitude;
}
