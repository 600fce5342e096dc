/** How precisely the public page shows the remaining stock. */

export const EXACT_AVAILABILITY_MAX = 10;

/**
 * Tickets left as buyers see them: exact up to ten, then rounded down to the leading digit (482 shows as 400).
 * Deliberately coarse: the page may be cached, and only a reservation is authoritative.
 */
export function shownAvailability(ticketsLeft: number): number {
  if (ticketsLeft <= EXACT_AVAILABILITY_MAX) return Math.max(0, ticketsLeft);
  const magnitude = 10 ** Math.floor(Math.log10(ticketsLeft));
  return Math.floor(ticketsLeft / magnitude) * magnitude;
}
