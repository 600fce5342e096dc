import { useCallback, useEffect, useRef, useState } from 'react';
import { adminSearch } from '#contract/app/brakes.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api.ts';

interface Found {
  q: string;
  reply: ReplyOf<typeof adminSearch>;
}

/** Begins with all that is stopped. */
export function useSearch() {
  const [found, setFound] = useState<Found | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const asked = useRef({ id: 0, q: '' });

  const search = useCallback(async (q: string) => {
    // A slow answer to an earlier query must not replace the present one.
    const id = asked.current.id + 1;
    asked.current = { id, q };
    try {
      const reply = await call(adminSearch, q === '' ? {} : { q });
      if (id !== asked.current.id) return;
      setFound({ q, reply });
      setIsFailed(false);
    } catch {
      // The rest of the dashboard says that it could not load.
      if (id === asked.current.id) setIsFailed(q !== '');
    }
  }, []);
  const again = useCallback(() => search(asked.current.q), [search]);
  useEffect(() => void search(''), [search]);

  return { found, isFailed, search, again };
}
