import { useEffect, useEffectEvent, useState } from 'react';
import { toast } from '#web/ui/feedback/toast.ts';
import { pollSale, type SaleSnapshot } from './poll-sale.ts';
import { type SaleStage, saleStage } from './sale-stage.ts';

const FAILURES_TOLERATED = 2;

/**
 * The sale of an event, updated every second; `stage` is null until it is loaded.
 *
 * @param refreshes see OnSale
 */
export function useSale(eventId: string, refreshes: number, onGone: () => void) {
  const [snapshot, setSnapshot] = useState<SaleSnapshot | null>(null);
  const [failures, setFailures] = useState({ count: 0, reason: '' });
  const [rejoining, setRejoining] = useState({ requests: 0, isPending: false });
  const now = useNow();
  const endRejoin = () => setRejoining(({ requests }) => ({ requests, isPending: false }));
  const handleGone = useEffectEvent(() => {
    endRejoin();
    onGone();
  });
  const handleFailure = useEffectEvent((reason: string) => {
    setFailures(({ count }) => ({ count: count + 1, reason }));
    // Background failures are tolerated; one that the buyer caused shows at once.
    if (rejoining.isPending) toast.error(reason);
    endRejoin();
  });
  const handleSuccess = useEffectEvent(() => {
    setFailures({ count: 0, reason: '' });
    endRejoin();
  });
  const poll = useEffectEvent((signal: AbortSignal) =>
    pollSale(
      eventId,
      snapshot,
      {
        onSnapshot: setSnapshot,
        onSuccess: () => handleSuccess(),
        onFailure: (reason) => handleFailure(reason),
        onGone: () => handleGone(),
      },
      signal,
    ),
  );

  useEffect(() => {
    const stop = new AbortController();
    void poll(stop.signal);
    return () => stop.abort();
  }, [eventId, refreshes, rejoining.requests]);

  const serverNow = new Date(now + (snapshot?.aheadMs ?? 0));
  const stage: SaleStage | null = snapshot && saleStage(snapshot.sale, snapshot, serverNow);
  return {
    stage,
    now: serverNow,
    sale: snapshot?.sale ?? null,
    /** Why this browser gets no pass before the start. */
    denial: snapshot?.denial ?? null,
    /** Set after several failed polls in a row. */
    connectionProblem: failures.count >= FAILURES_TOLERATED ? failures.reason : null,
    rejoin: () => setRejoining(({ requests }) => ({ requests: requests + 1, isPending: true })),
    isRejoining: rejoining.isPending,
  };
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
