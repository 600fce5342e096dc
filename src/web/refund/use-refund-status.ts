/** A refund as its mailed link shows it, and the one thing that can be done about it. */
import { useCallback, useEffect, useState } from 'react';
import { refundPageWords } from '#contract/refund-words.ts';
import { keepTicket, type RefundStatus, refundStatus } from '#contract/refunds.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export function useRefundStatus(eventId: string, token: string) {
  const [refund, setRefund] = useState<RefundStatus | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [notice, setNotice] = useState('');
  const [isLooking, setIsLooking] = useState(false);
  const [isKeeping, setIsKeeping] = useState(false);

  const look = useCallback(async () => {
    setIsLooking(true);
    try {
      setRefund(await call(refundStatus, { eventId, token }));
      setProblem(null);
    } catch (error) {
      setProblem(messageFrom(error, refundPageWords.failed));
    }
    setIsLooking(false);
  }, [eventId, token]);

  useEffect(() => {
    void look();
  }, [look]);

  async function keep() {
    setIsKeeping(true);
    try {
      setNotice((await call(keepTicket, { eventId, token })).msg);
    } catch (error) {
      toast.error(messageFrom(error, refundPageWords.failed));
    }
    // Kept or too late: the page shows what the refund is now.
    await look();
    setIsKeeping(false);
  }

  return { refund, problem, notice, isLooking, look, isKeeping, keep };
}
