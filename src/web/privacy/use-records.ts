/** The data stored for an email address, and its deletion. */
import { useEffect, useState } from 'react';
import { deleteMyRecords, myRecords } from '#contract/app/privacy.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { recordsPage } from '#messages/privacy.ts';
import { call, messageFrom } from '#web/api.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export function useRecords(token: string) {
  const [records, setRecords] = useState<ReplyOf<typeof myRecords> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<ReplyOf<typeof deleteMyRecords> | null>(null);

  useEffect(() => {
    const leaving = new AbortController();
    call(myRecords, { token }, { signal: leaving.signal }).then(setRecords, (error: unknown) => {
      if (!leaving.signal.aborted) setProblem(messageFrom(error, recordsPage.failed));
    });
    return () => leaving.abort();
  }, [token]);

  async function remove() {
    try {
      setDone(await call(deleteMyRecords, { token }));
    } catch (error) {
      toast.error(messageFrom(error, recordsPage.deleteFailed));
    }
  }

  return { records, problem, done, remove };
}
