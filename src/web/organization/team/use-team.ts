import { useCallback, useEffect, useState } from 'react';
import { type Team, team } from '#contract/app/team.ts';
import { teamPage } from '#messages/accounts/team.ts';
import { CallError, call, messageFrom } from '#web/api.ts';

export type Member = Team['members'][number];
export type Invitation = Team['invitations'][number];

export function useTeam() {
  const [shown, setShown] = useState<Team | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reload = useCallback(async () => {
    try {
      setShown(await call(team, {}));
      setProblem(null);
    } catch (error) {
      setProblem(error instanceof CallError ? messageFrom(error, teamPage.notLoaded) : teamPage.notLoaded);
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { shown, problem, reload };
}
