import { describe, expect, it } from 'vitest';
import { guestFilters, statesOf } from './guest-list.ts';

const EVERY_STATE = ['valid', 'scanned', 'refunding', 'refunded', 'void', 'disputed'];

describe('the filters of the guest list', () => {
  it('show each state of a ticket once', () => {
    const shown = guestFilters.flatMap((filter) => statesOf(filter, false) ?? []);

    expect([...shown].sort()).toEqual([...EVERY_STATE].sort());
  });

  it('show the guests who can come or came, and all that a search finds', () => {
    expect(statesOf(undefined, false)).toEqual(['valid', 'scanned', 'disputed']);
    expect(statesOf(undefined, true)).toBeNull();
    expect(statesOf('refunded', true)).toEqual(['refunding', 'refunded']);
  });
});
