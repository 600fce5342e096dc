/** Polls while a cancelled event is being refunded: soon after each step, then backing off. */
import { useEffect, useEffectEvent, useRef } from 'react';
import type { OrganizerEvent } from '#contract/app/events.ts';

const FIRST_MS = 2000;
const LONGEST_MS = 60_000;

export function useRefundProgress(events: readonly OrganizerEvent[], onChanged: () => Promise<void>): void {
  const seen = useRef({ progress: '', polls: 0 });
  const reload = useEffectEvent(() => void onChanged());
  const cancellations = events.flatMap(({ cancellation }) => cancellation ?? []);
  const isRefunding = cancellations.some(({ refunds, refunded }) => refunded < refunds);
  const progress = cancellations.map(({ refunds, refunded, failed }) => `${refunded}+${failed}/${refunds}`).join();

  // A failed reload brings no new events and ends the polling; the Refresh button remains.
  useEffect(() => {
    if (!isRefunding) return;
    const polls = seen.current.progress === progress ? seen.current.polls + 1 : 0;
    seen.current = { progress, polls };
    const timer = setTimeout(reload, Math.min(FIRST_MS * 1.3 ** polls, LONGEST_MS));
    return () => clearTimeout(timer);
  }, [events, isRefunding, progress]);
}
