import { useCallback, useEffect, useState } from 'react';
import { type PayoutList, payoutList } from '#contract/app/records/workspace.ts';
import { payoutsPage } from '#messages/records/payouts-page.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';

/** The pages that are loaded so far, as one list. */
export function usePayouts() {
  const logIn = useLogIn();
  const [list, setList] = useState<PayoutList | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const [isLoading, setIsLoading] = useState(false);

  const load = useCallback(
    async (after: string | null = null) => {
      setIsLoading(true);
      setFailure(null);
      try {
        const page = await call(payoutList, after === null ? {} : { after });
        setList((last) => (last && after !== null ? { ...page, payouts: [...last.payouts, ...page.payouts] } : page));
      } catch (error) {
        if (error instanceof CallError && error.status === 401) return logIn();
        if (after === null) setFailure(failureFrom(error, payoutsPage.notLoaded));
        else toast.error(messageFrom(error, payoutsPage.notLoaded));
      }
      setIsLoading(false);
    },
    [logIn],
  );
  useEffect(() => void load(), [load]);
  return { list, failure, isLoading, load };
}
