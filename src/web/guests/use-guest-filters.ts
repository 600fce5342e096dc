/** The filters of the guest list and the open guest, in the screen's address. */
import { useMemo } from 'react';
import type { GuestFilters } from '#contract/app/sales/guest-table.ts';
import { channels, guestFilters } from '#domain/sales/guest-list.ts';
import { isId, useListAddress } from '#web/shell/workspace/list/use-list-address.ts';

const NAMES = ['q', 'type', 'state', 'channel', 'question', 'answer'] as const;

/** What an address can't filter by is ignored: it may have been typed. */
function filtersIn(query: URLSearchParams): GuestFilters {
  const [q, type, question, answer] = (['q', 'type', 'question', 'answer'] as const).map((name) => query.get(name));
  const state = guestFilters.find((one) => one === query.get('state'));
  const channel = channels.find((one) => one === query.get('channel'));
  return {
    ...(q && { q }),
    ...(isId(type) && { type }),
    ...(state && { state }),
    ...(channel && { channel }),
    ...(isId(question) && { question, ...(answer && { answer }) }),
  };
}

export function useGuestFilters() {
  const { filterText, openId: guest, view, close: closeGuest, ...address } = useListAddress(NAMES, 'guest');
  const filters = useMemo(() => filtersIn(new URLSearchParams(filterText)), [filterText]);
  return { ...address, filters, guest, isPrint: view === 'print', closeGuest };
}
