/** The filters of a list and its open row, in the screen's address. */
import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** @param opens the parameter that names the open row */
export function useListAddress<Name extends string>(names: readonly Name[], opens: string) {
  const [query, setQuery] = useSearchParams();
  const location = useLocation();
  const navigate = useNavigate();

  // Two filters may change before the first change is on screen.
  const latest = useRef(query);
  useEffect(() => {
    latest.current = query;
  }, [query]);
  const setFilters = useCallback(
    (change: { [One in Name]?: string | undefined }) => {
      const next = new URLSearchParams(latest.current);
      for (const [name, value] of Object.entries<string | undefined>(change)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      latest.current = next;
      setQuery(next, { replace: true, state: { keepsScroll: true } });
    },
    [setQuery],
  );

  const addressOf = (change: Record<string, string>) => {
    const next = new URLSearchParams(query);
    next.delete(opens);
    next.delete('view');
    for (const [name, value] of Object.entries(change)) next.set(name, value);
    return { pathname: location.pathname, search: next.toString() };
  };

  /** Back to the list: to its entry in the history, if the row was opened from it. */
  function close() {
    const state: unknown = location.state;
    if (typeof state === 'object' && state !== null && 'isOverList' in state) void navigate(-1);
    else void navigate(addressOf({}), { replace: true, state: { keepsScroll: true } });
  }

  const opened = query.get(opens);
  return {
    /** By its text, so that opening a row doesn't load the list again. */
    filterText: new URLSearchParams(names.map((name) => [name, query.get(name) ?? ''])).toString(),
    setFilters,
    openId: isId(opened) ? opened : null,
    view: query.get('view'),
    addressOf,
    close,
  };
}

export const isId = (text: string | null | undefined): text is string =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text ?? '');
