/** An early check-in opened by its emailed link, and the buyer's objection. */
import { useCallback, useEffect, useState } from 'react';
import { type EarlyCheckInPage, earlyCheckIn, objectToCheckIn } from '#contract/app/early-check-ins.ts';
import { earlyCheckInPage } from '#messages/early-check-in.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export function useEarlyCheckIn(eventId: string, token: string) {
  const [checkIn, setCheckIn] = useState<EarlyCheckInPage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState('');
  const [isLoading, setIsLoading] = useState(false);
  const [isObjecting, setIsObjecting] = useState(false);

  const load = useCallback(async () => {
    setIsLoading(true);
    try {
      setCheckIn(await call(earlyCheckIn, { eventId, token }));
      setProblem(null);
    } catch (error) {
      setProblem(messageFrom(error, earlyCheckInPage.failed));
    }
    setIsLoading(false);
  }, [eventId, token]);

  useEffect(() => {
    void load();
  }, [load]);

  async function object() {
    setIsObjecting(true);
    try {
      setConfirmation((await call(objectToCheckIn, { eventId, token })).msg);
    } catch (error) {
      toast.error(messageFrom(error, earlyCheckInPage.failed));
    }
    // Already decided, or no longer checked in: show the current state.
    await load();
    setIsObjecting(false);
  }

  return { checkIn, problem, confirmation, isLoading, load, isObjecting, object };
}
