import { useCallback, useEffect, useState } from 'react';
import { factors } from '#contract/app/factors.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { call } from '#web/api.ts';

type Reply = ReplyOf<typeof factors>;
export type Factor = Reply['factors'][number];

export function useFactors() {
  const [reply, setReply] = useState<Reply | null>(null);
  const [isFailed, setFailed] = useState(false);
  const reload = useCallback(async () => {
    try {
      setReply(await call(factors, {}));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return {
    list: reply?.factors ?? null,
    recoveryCodesLeft: reply?.recoveryCodesLeft ?? 0,
    isRequired: reply?.isRequired ?? false,
    ofOrganization: reply?.ofOrganization ?? null,
    isFailed,
    reload,
  };
}
