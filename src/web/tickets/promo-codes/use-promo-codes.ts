import { useCallback, useEffect, useState } from 'react';
import { type OwnPromoCode, promoCodes } from '#contract/app/sales/promo-codes.ts';
import { promoSettings } from '#messages/sales/promo-codes.ts';
import { call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

export function usePromoCodes(eventId: string) {
  const [codes, setCodes] = useState<readonly OwnPromoCode[] | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setCodes((await call(promoCodes, { eventId })).promoCodes);
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, promoSettings.notLoaded));
    }
  }, [eventId]);
  useEffect(() => void reload(), [reload]);
  return { codes, failure, reload };
}
