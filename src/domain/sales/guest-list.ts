/** What the filters of an event's guest list mean. */

/** The states of each filter. A disputed ticket that was scanned counts as checked in. */
const STATES = {
  'checked-in': ['scanned'],
  'not-yet': ['valid'],
  refunded: ['refunding', 'refunded'],
  disputed: ['disputed'],
  void: ['void'],
} as const;

export type GuestFilter = keyof typeof STATES;

export const guestFilters = ['checked-in', 'not-yet', 'disputed', 'refunded', 'void'] as const satisfies GuestFilter[];

/** Guests who can come, or came. */
const EXPECTED = ['valid', 'scanned', 'disputed'] as const;

export type ListedState = (typeof STATES)[GuestFilter][number];

/** Null: all. A search without a filter finds every ticket, because it usually asks what happened to one. */
export function statesOf(filter: GuestFilter | undefined, isSearch: boolean): readonly ListedState[] | null {
  if (filter !== undefined) return STATES[filter];
  return isSearch ? null : EXPECTED;
}

/** Who made the order: a buyer, or a member who added or imported guests. */
export const channels = ['online', 'comp', 'import'] as const;

export type Channel = (typeof channels)[number];

export const GUESTS_PER_SHEET = 40;
