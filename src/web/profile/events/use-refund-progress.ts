/** Looks again while a cancelled event's refunds are on their way: soon after each step, then less and less often. */
import { useEffect, useEffectEvent, useRef } from 'react';
import type { OrganizerEvent } from '#contract/events.ts';

const FIRST_MS = 2000;
const LONGEST_MS = 60_000;

export function useRefundProgress(events: readonly OrganizerEvent[], onChanged: () => Promise<void>): void {
  const seen = useRef({ progress: '', looks: 0 });
  const lookAgain = useEffectEvent(() => void onChanged());
  const cancellations = events.flatMap(({ cancellation }) => cancellation ?? []);
  const isRefunding = cancellations.some(({ refunds, refunded }) => refunded < refunds);
  const progress = cancellations.map(({ refunds, refunded, failed }) => `${refunded}+${failed}/${refunds}`).join();

  // A failed look brings no new events, so it is the last one: the Refresh button is still there.
  useEffect(() => {
    if (!isRefunding) return;
    const looks = seen.current.progress === progress ? seen.current.looks + 1 : 0;
    seen.current = { progress, looks };
    const timer = setTimeout(lookAgain, Math.min(FIRST_MS * 1.3 ** looks, LONGEST_MS));
    return () => clearTimeout(timer);
  }, [events, isRefunding, progress]);
}
