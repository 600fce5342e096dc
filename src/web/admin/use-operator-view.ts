import { useCallback, useEffect, useState } from 'react';
import { adminReports } from '#contract/app/abuse-reports.ts';
import { adminActionItems } from '#contract/app/action-items.ts';
import { adminDisputes, adminMoney, adminMovedEvents, adminOverview } from '#contract/app/admin.ts';
import { adminAlerts } from '#contract/app/alerts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { outage } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';

export interface OperatorView {
  totals: ReplyOf<typeof adminOverview>;
  actionItems: ReplyOf<typeof adminActionItems>;
  money: ReplyOf<typeof adminMoney>;
  alerts: ReplyOf<typeof adminAlerts>;
  reports: ReplyOf<typeof adminReports>;
  disputes: ReplyOf<typeof adminDisputes>;
  moved: ReplyOf<typeof adminMovedEvents>;
  at: Date;
}

type State = { is: 'loading' } | { is: 'loaded'; view: OperatorView } | { is: 'failed'; msg: string };

export function useOperatorView() {
  const [state, setState] = useState<State>({ is: 'loading' });

  const reload = useCallback(async () => {
    try {
      const asked = [
        call(adminOverview, {}),
        call(adminActionItems, {}),
        call(adminMoney, {}),
        call(adminAlerts, {}),
        call(adminReports, {}),
        call(adminDisputes, {}),
        call(adminMovedEvents, {}),
      ] as const;
      const [totals, actionItems, money, alerts, reports, disputes, moved] = await Promise.all(asked);
      setState({
        is: 'loaded',
        view: { totals, actionItems, money, alerts, reports, disputes, moved, at: new Date() },
      });
    } catch (error) {
      setState({ is: 'failed', msg: messageFrom(error, outage) });
    }
  }, []);
  useEffect(() => void reload(), [reload]);

  return { state, reload };
}
