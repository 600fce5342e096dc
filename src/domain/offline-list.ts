/** Format of the offline ticket list, which holds short hashes of confirmation numbers instead of the numbers. */

/** One ticket, byte by byte, as the server writes it and a device reads it. All numbers are big-endian. */
export const LISTED_TICKET = {
  bytes: 12,
  /** The random end of the ticket's id, which identifies it within the list. */
  keyBytes: 6,
  /** `hashBits` bits in four bytes: as a number it is below 2^bits. */
  hashAt: 6,
  /** Index of the ticket type in the list's ticket types. */
  typeAt: 10,
  stateAt: 11,
} as const;

/**
 * Confirmation numbers have ten digits, so all of them can be tried in seconds. The hash is short enough that many numbers
 * share it, which keeps the list from revealing them, and long enough that a made-up number rarely matches a ticket.
 * At 25 bits, about 270 of the nine billion numbers share each hash, whatever the event's size.
 */
export const HASH_BITS_MAX = 25;
const HASH_BITS_MIN = 12;
/** At most one in this many made-up numbers matches, as long as the event has fewer than 2^25 / 1,000 tickets. */
const MADE_UP_NUMBERS_PER_MATCH = 1000;

/** Depends on the capacity, which changes less often than the number of tickets sold. */
export function hashBits(capacity: number): number {
  const needed = Math.ceil(Math.log2(Math.max(1, capacity) * MADE_UP_NUMBERS_PER_MATCH));
  return Math.min(HASH_BITS_MAX, Math.max(HASH_BITS_MIN, needed));
}
