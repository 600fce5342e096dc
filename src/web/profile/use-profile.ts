/** The signed-in organizer's profile, reloaded after every change. */
import { useCallback, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { profile } from '#contract/app/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { unknownError } from '#messages/pages.ts';
import { CallError, call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export type Profile = ReplyOf<typeof profile>;

export function useProfile() {
  const navigate = useNavigate();
  const [organizer, setOrganizer] = useState<Profile | null>(null);
  const [isFailed, setIsFailed] = useState(false);

  const reload = useCallback(async () => {
    setIsFailed(false);
    try {
      setOrganizer(await call(profile, {}));
    } catch (error) {
      if (error instanceof CallError && error.status === 401) return void navigate('/login', { replace: true });
      setIsFailed(true);
      toast.error(`Error fetching profile: ${messageFrom(error, unknownError)}`);
    }
  }, [navigate]);

  useEffect(() => void reload(), [reload]);

  return { organizer, isFailed, reload };
}
