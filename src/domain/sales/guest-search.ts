/** How the door finds guests by name. */
import { GUEST_SEARCH_LETTERS_MIN, GUEST_SEARCH_MAX } from '#domain/limits.ts';

/** Fewer letters would list the event's guests. A name above the limit isn't normalized, which takes quadratic time. */
export const isLongEnough = (name: string): boolean =>
  name.length > GUEST_SEARCH_MAX || (name.normalize('NFKC').match(/\p{L}/gu) ?? []).length >= GUEST_SEARCH_LETTERS_MIN;

/** A buyer can type anything as a name: an address, or a ticket's number, doesn't belong on a device. */
export const nameAtDoor = (name: string): string => name.replace(/\S*[@＠]\S*|\p{Nd}(?:[\s-]?\p{Nd}){9,}/gu, '…');
