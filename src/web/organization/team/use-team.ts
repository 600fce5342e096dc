import { useCallback, useEffect, useState } from 'react';
import { type Team, team } from '#contract/app/team.ts';
import { teamPage } from '#messages/accounts/team.ts';
import { call } from '#web/api.ts';
import { failureFrom, type LoadFailure } from '#web/ui/feedback/load-failure.ts';

export type Member = Team['members'][number];
export type Invitation = Team['invitations'][number];

export function useTeam() {
  const [shown, setShown] = useState<Team | null>(null);
  const [failure, setFailure] = useState<LoadFailure | null>(null);
  const reload = useCallback(async () => {
    try {
      setShown(await call(team, {}));
      setFailure(null);
    } catch (error) {
      setFailure(failureFrom(error, teamPage.notLoaded));
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { shown, failure, reload };
}
