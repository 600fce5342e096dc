import { useCallback, useEffect, useState } from 'react';
import { comps, type EventComps } from '#contract/app/sales/comps.ts';
import { compsPage } from '#messages/sales/comps.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';
import { toast } from '#web/ui/feedback/toast.ts';
import { useLogIn } from '#web/ui/page/use-log-in.ts';

const AGAIN_MS = 2000;

interface Loading {
  page: EventComps | null;
  failure: LoadFailure | null;
  isUnknown: boolean;
}

export function useComps(eventId: string) {
  const logIn = useLogIn();
  const [{ page, ...state }, setState] = useState<Loading>({ page: null, failure: null, isUnknown: false });
  const [isLoading, setIsLoading] = useState(false);

  const reload = useCallback(async () => {
    try {
      setState({ page: await call(comps, { eventId }), failure: null, isUnknown: false });
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 401) logIn();
      const failure = failureFrom(error, compsPage.notLoaded);
      setState((last) => ({ ...last, failure, isUnknown: status === 404 }));
    }
  }, [eventId, logIn]);
  useEffect(() => void reload(), [reload]);

  // Until all tickets of an import are issued.
  const isImporting = page?.isImporting ?? false;
  useEffect(() => {
    if (!isImporting) return;
    const timer = setInterval(() => void reload(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isImporting, reload]);

  async function loadMore() {
    if (!page?.compsNext) return;
    setIsLoading(true);
    try {
      const more = await call(comps, { eventId, after: page.compsNext });
      setState({ ...state, page: { ...more, comps: [...page.comps, ...more.comps] } });
    } catch (error) {
      toast.error(messageFrom(error, compsPage.notLoaded));
    }
    setIsLoading(false);
  }

  return { page, ...state, reload, loadMore, isLoading };
}
