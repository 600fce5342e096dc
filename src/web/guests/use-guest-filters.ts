/** The filters of the guest list and the open guest, in the screen's address. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { GuestFilters } from '#contract/app/sales/guest-table.ts';
import { channels, guestFilters } from '#domain/sales/guest-list.ts';

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

const isId = (text: string | null | undefined): text is string =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text ?? '');

export function useGuestFilters() {
  const [query, setQuery] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();
  // By their text, so that opening a guest doesn't load the list again.
  const text = new URLSearchParams(NAMES.map((name) => [name, query.get(name) ?? ''])).toString();
  const filters = useMemo(() => filtersIn(new URLSearchParams(text)), [text]);

  // Two filters may change before the first change is on screen.
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  const setFilters = useCallback(
    (change: { [Name in (typeof NAMES)[number]]?: string | undefined }) => {
      const next = new URLSearchParams(latest.current);
      for (const [name, value] of Object.entries(change)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      latest.current = next;
      setQuery(next, { replace: true, state: { keepsScroll: true } });
    },
    [setQuery],
  );

  const addressOf = (change: { guest?: string; view?: 'print' }) => {
    const next = new URLSearchParams(query);
    next.delete('guest');
    next.delete('view');
    for (const [name, value] of Object.entries(change)) next.set(name, value);
    return { pathname: location.pathname, search: next.toString() };
  };

  /** Back to the list: to its entry in the history, if the guest was opened from it. */
  function closeGuest() {
    const state: unknown = location.state;
    if (typeof state === 'object' && state !== null && 'isOverList' in state) void navigate(-1);
    else void navigate(addressOf({}), { replace: true, state: { keepsScroll: true } });
  }

  const guest = query.get('guest');
  return {
    filters,
    setFilters,
    guest: isId(guest) ? guest : null,
    isPrint: query.get('view') === 'print',
    addressOf,
    closeGuest,
  };
}
