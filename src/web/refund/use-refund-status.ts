/** Status of a refund opened by its emailed link, and undoing it. */
import { useCallback, useEffect, useState } from 'react';
import { keepTicket, type RefundStatus, refundStatus } from '#contract/app/refunds.ts';
import { refundPageMessages } from '#messages/refunds.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export function useRefundStatus(eventId: string, token: string) {
  const [refund, setRefund] = useState<RefundStatus | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState('');
  const [isLoading, setIsLoading] = useState(false);
  const [isKeeping, setIsKeeping] = useState(false);

  const load = useCallback(async () => {
    setIsLoading(true);
    try {
      setRefund(await call(refundStatus, { eventId, token }));
      setProblem(null);
    } catch (error) {
      setProblem(messageFrom(error, refundPageMessages.failed));
    }
    setIsLoading(false);
  }, [eventId, token]);

  useEffect(() => {
    void load();
  }, [load]);

  async function keep() {
    setIsKeeping(true);
    try {
      setConfirmation((await call(keepTicket, { eventId, token })).msg);
    } catch (error) {
      toast.error(messageFrom(error, refundPageMessages.failed));
    }
    // Already undone or too late: show the current status.
    await load();
    setIsKeeping(false);
  }

  return { refund, problem, confirmation, isLoading, load, isKeeping, keep };
}
