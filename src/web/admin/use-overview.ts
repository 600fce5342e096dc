import { useCallback, useEffect, useState } from 'react';
import { adminOverview } from '#contract/admin.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { outage } from '#contract/sentences.ts';
import { call, messageFrom } from '#web/api.ts';

export type OverviewFigures = ReplyOf<typeof adminOverview>;
type OverviewState =
  | { is: 'loading' }
  | { is: 'loaded'; figures: OverviewFigures; at: Date }
  | { is: 'failed'; msg: string };

export function useOverview() {
  const [state, setState] = useState<OverviewState>({ is: 'loading' });

  const reload = useCallback(async () => {
    try {
      setState({ is: 'loaded', figures: await call(adminOverview, {}), at: new Date() });
    } catch (error) {
      setState({ is: 'failed', msg: messageFrom(error, outage) });
    }
  }, []);
  useEffect(() => void reload(), [reload]);

  return { state, reload };
}
