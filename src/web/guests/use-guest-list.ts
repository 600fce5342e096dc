/** The guests of an event by name. */
import {
  type GuestFilters,
  type GuestTable,
  guestPageEnds,
  guestRows,
  guestTable,
  type ListedGuest,
} from '#contract/app/sales/guest-table.ts';
import { statesOf } from '#domain/sales/guest-list.ts';
import { guestTablePage as text } from '#messages/sales/guest-table.ts';
import { call } from '#web/api.ts';
import { type ListSource, usePagedList } from '#web/shell/workspace/list/use-paged-list.ts';

const guests: ListSource<GuestFilters, GuestTable, ListedGuest> = {
  readTable: (eventId, filters, signal) => call(guestTable, { eventId, ...filters }, { signal }),
  readPage: async (eventId, filters, bounds, signal) =>
    (await call(guestRows, { eventId, ...filters, ...bounds }, signal ? { signal } : {})).guests,
  readEnds: (eventId, filters, after) => call(guestPageEnds, { eventId, ...filters, after }),
  idOf: ({ ticketId }) => ticketId,
  count: countOf,
  notLoaded: text.notLoaded,
};

export const useGuestList = (eventId: string, filters: GuestFilters) => usePagedList(guests, eventId, filters);

/** How many guests these filters would list, all other things being equal. */
export function countOf({ counts }: GuestTable, { q, type, state, channel }: GuestFilters): number {
  const states = statesOf(state, Boolean(q));
  return counts
    .filter(
      (one) =>
        (states === null || states.some((shown) => shown === one.state)) &&
        (type === undefined || one.ticketId === type) &&
        (channel === undefined || one.channel === channel),
    )
    .reduce((sum, { tickets }) => sum + tickets, 0);
}
