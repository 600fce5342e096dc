/** A ticket in the door's list, byte by byte, as the server writes it and a device reads it. All numbers are big-endian. */
export const LISTED_TICKET = {
  bytes: 12,
  /** Names the ticket within the list: the random end of its id. */
  keyBytes: 6,
  /** `hashBits` bits in four bytes: as a number it is below 2^bits. */
  hashAt: 6,
  /** Its type's place in the list's ticket types. */
  typeAt: 10,
  stateAt: 11,
} as const;
