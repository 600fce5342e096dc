import { useCallback, useEffect, useState } from 'react';
import type { Offer } from '#contract/app/plans.ts';
import { loadCode } from '#web/load-code.ts';
import { usePageProps } from '#web/page-props-context.ts';

export interface OfferState {
  /** Null until it is loaded. */
  offer: Offer | null;
  isFailed: boolean;
  reload: () => Promise<void>;
}

/** The plans that anyone may see: embedded in a page from the server, loaded after a visit to another screen. */
export function useOffer(): OfferState {
  const embedded = usePageProps().offer ?? null;
  const [offer, setOffer] = useState(embedded);
  const [isFailed, setIsFailed] = useState(false);

  const reload = useCallback(async () => {
    setIsFailed(false);
    try {
      const { readOffer } = await loadCode(() => import('./offer-calls.ts'));
      setOffer(await readOffer());
    } catch {
      setIsFailed(true);
    }
  }, []);

  useEffect(() => {
    if (!embedded) void reload();
  }, [embedded, reload]);
  return { offer, isFailed, reload };
}
